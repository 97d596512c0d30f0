"""Spanish."""

# ruff: noqa: SIM905 - lists of words read better as text

from cruxstore.trust.contradiction.words.language import Cue, Language

_UNITS = """
    cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis
    diecisiete dieciocho diecinueve veinte
""".split()
_TWENTIES = (
    "veintiun veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve".split()
)
_TENS = "treinta cuarenta cincuenta sesenta setenta ochenta noventa".split()
_HUNDREDS = "doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos".split()

SPANISH = Language(
    name="es",
    decimal_mark=",",
    cues={
        Cue.STOP: """
            el la los las un una unos unas lo al del de a en por para con y e o u que quien cual cuales como
            cuando donde se su sus mi mis tu nos nuestro nuestra nuestros nuestras le les me te es son era
            eran fue fueron ser sido esta estan estaba estaban estar ha han hay habia este esta_ estos estas
            ese esa esos esas eso esto aquel ya todavia aun siempre tambien muy mas_que mismo misma sobre
            entre desde durante tras hacia segun si sino_que porque_no pues asi ahora hoy actualmente
            normalmente generalmente sera seran puede pueden debe deben hemos he haber cada_vez todo toda
            todos todas don dona senor senora sr sra aqui alli ademas incluso no_solo casi_siempre ellos
            ella el_la aproximadamente_no sigue siguen otra otro otros otras mas yo usted ustedes nosotros
            solo_que va
        """,
        Cue.LIGHT: """
            tiene tienen tener tenia tengo usa usan usar utiliza utilizan utilizar hace hacen hacer va van
            ir viene vienen da dan dar queda quedan pone ponen toma toman lleva llevan llevar permanece
            permanecen pasa pasan contiene contienen incluye incluyen ofrece ofrecen ofrecer dispone
            disponen disponible disponibles existe existen quiere quieren querer desea necesita necesitan
            encuentra encuentran llama llaman llamado llamada recibe reciben funciona_con trabaja trabajan
            vive viven cuesta pesa mide dura duran cabe caben numero cantidad total importe posee cuenta
            sirve sirven ubicado situado realiza realizan celebra celebran exige requiere estaran suma
            asciende obtiene poner viene exactamente come bebe comer beber
        """,
        Cue.NEGATION: """
            no nunca jamas ningun ninguna ninguno nadie nada ni sin tampoco ya_no apenas en_ninguna_parte
            carece falta faltan todavia_no aun_no de_ningun_modo casi_nunca casi_nada en_absoluto deja_de
            dejo_de
        """,
        Cue.BREAK: """
            pero sino porque aunque sin_embargo excepto salvo mientras ya_que por_eso despues_de_que
            antes_de_que a_pesar_de_que de_modo_que puesto_que
        """,
        Cue.EXCLUSIVE: """
            solo solamente unicamente exclusivamente unico unica unicos nada_mas nadie_mas ningun_otro
            ninguna_otra exclusivo exclusiva sola
        """,
        Cue.PAST: "antiguamente anteriormente antiguo antigua ex previamente originalmente inicialmente en_su_dia",
        Cue.HEDGE: """
            quizas quiza tal_vez posiblemente probablemente podria podrian a_lo_mejor seria estaria
            piensa_en baraja planea
        """,
        Cue.AT_LEAST: "al_menos por_lo_menos min minimo como_minimo no_menos_de a_partir_de un_minimo_de",
        Cue.AT_MOST: """
            como_maximo a_lo_sumo max maximo hasta no_mas_de no_pasar_de no_pasar_nunca_de no_superar
            no_supera no_exceder no_debe_superar dentro_de en_un_plazo_de un_maximo_de nunca_mas_de
        """,
        Cue.MORE_THAN: "mas_de superior_a supera mayor_que por_encima_de mas_que",
        Cue.LESS_THAN: "menos_de inferior_a menor_que por_debajo_de menos_que",
        Cue.ABOUT: "unos unas aproximadamente cerca_de alrededor_de casi mas_o_menos aprox en_torno_a",
        Cue.OR_MORE: "o_mas y_mas en_adelante",
        Cue.OR_LESS: "o_menos",
        Cue.BETWEEN: "entre de desde del",
        Cue.TO: "a al y hasta",
        Cue.AND: "y",
        Cue.EVERY: "cada todos_los todas_las",
        Cue.PER: "por al a_la cada",
        Cue.START: "desde a_partir_del",
        Cue.END: "hasta vence caduca",
        Cue.END_OF: "final finales fin",
        Cue.START_OF: "principio principios inicio comienzos",
        Cue.MIDDLE_OF: "mediados",
        Cue.THAN: "que",
        Cue.LABEL: """
            version serie sala sensor planta fase paso linea puerta anden numero num capitulo nivel edificio
            lote ticket grupo factura pedido modulo bahia zona tienda habitacion nave canal semana dia bomba
            tanque servidor nodo
        """,
    },
    numbers={word: at for at, word in enumerate(_UNITS) if word != "uno"}
    | {word: 21 + at for at, word in enumerate(_TWENTIES)}
    | {"veintiuno": 21, "veintiuna": 21}
    | {word: 30 + 10 * at for at, word in enumerate(_TENS)}
    | {word: 200 + 100 * at for at, word in enumerate(_HUNDREDS)}
    | {word[:-2] + "as": 200 + 100 * at for at, word in enumerate(_HUNDREDS)}
    | {"una_vez": 1, "docena": 12, "decena": 10, "quincena": 15, "centenar": 100, "veintena": 20, "par": 2},
    fractions={"medio": 0.5, "media": 0.5, "mitad": 0.5},
    scales={"cien": 100, "ciento": 100, "mil": 1000, "millon": 10**6, "millones": 10**6, "k": 1000},
    ordinals=(
        "primero primera primer",
        "segundo segunda",
        "tercero tercera tercer",
        "cuarto cuarta",
        "quinto quinta",
        "sexto sexta",
        "septimo septima",
        "octavo octava",
        "noveno novena",
        "decimo decima",
        "undecimo undecima",
        "duodecimo",
    ),
    last="ultimo ultima ultimos ultimas",
    months=(
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre setiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ),
    seasons=("primavera", "verano", "otono", "invierno"),
    weekdays=(
        "lunes",
        "martes",
        "miercoles",
        "jueves",
        "viernes",
        "sabado sabados",
        "domingo domingos",
        "dias_laborables entre_semana",
        "fin_de_semana fines_de_semana",
    ),
    day_parts={"mediodia": "12:00", "medianoche": "00:00"},
    units={
        "every d": "cada_noche todas_las_noches diario diaria diariamente a_diario",
        "every wk": "semanal semanalmente",
        "every mo": "mensual mensualmente",
        "every yr": "anual anualmente",
        "s": "segundos seg",
        "ms": "milisegundo milisegundos",
        "min": "minuto minutos",
        "h": "hora horas",
        "d": "dia dias",
        "wk": "semana semanas",
        "mo": "mes meses",
        "yr": "ano anos",
        "m": "metro metros",
        "km": "kilometro kilometros",
        "cm": "centimetro centimetros",
        "mm": "milimetro milimetros",
        "g": "gramo gramos",
        "kg": "kilogramo kilogramos kilo kilos",
        "t": "tonelada toneladas",
        "l": "litro litros",
        "ml": "mililitro mililitros",
        "m2": "metros_cuadrados metro_cuadrado",
        "m3": "metros_cubicos metro_cubico",
        "ha": "hectarea hectareas",
        "%": "por_ciento",
        "eur": "euro euros",
        "usd": "dolar dolares",
        "gbp": "libra libras",
        "rub": "rublo rublos",
        "chf": "franco francos",
        "°c": "grados_centigrados grados_celsius celsius",
        "°": "grados grado",
        "kw": "kilovatio kilovatios",
        "w": "vatio vatios",
        "v": "voltio voltios",
        "a_": "amperio amperios",
        "bar": "bares",
        "cent": "centimos centimo",
        "kwh": "kilovatios_hora kilovatio_hora",
        "b": "byte bytes",
        "mb": "megabyte megabytes",
        "gb": "gigabyte gigabytes",
        "kcal": "calorias kilocalorias",
    },
    axes={
        "plenty": (" abundante suficiente de_sobra", "se_acabo agotado escaso escasea escasean"),
        "returned": ("devuelto devuelta", "prestado prestada"),
        "published": ("publicado publicada", "borrador"),
        "course": ("avanza progresa", "parado detenido estancado"),
        "automatic": ("solo_se automaticamente", "a_mano manualmente"),
        "open": (
            "abierto abierta abiertos abiertas abre abren",
            "cortado cortada cerrado cerrada cerrados cerradas cierra cierran",
        ),
        "resolved": ("resuelto resuelta solucionado solucionada arreglado", "sin_resolver pendiente abierto abierta"),
        "done": (
            "terminado terminada acabado acabada completo completa finalizado finalizada concluido",
            "en_marcha_aun incompleto incompleta inacabado a_medias en_curso",
        ),
        "on": (
            """
                en_uso activado activada activados activadas encendido encendida activo activa en_marcha
                en_servicio en_linea conectada_y
            """,
            """
                fuera_de_uso caido caida desactivado desactivada desactivados desactivadas apagado
                apagada parado parada inactivo inactiva fuera_de_servicio detenido detenida
            """,
        ),
        "accept": (
            """
                concedido concedida bienvenido bienvenida bienvenidos bienvenidas acepta aceptan
                aceptado aceptada aprobado aprobada aprueba admite aceptar
            """,
            "denegado denegada rechazadas rechaza rechazan rechazado rechazada rehusa denegado denegada niega",
        ),
        "allow": (
            "permitido permitida permite permiten se_admiten admiten autorizado autorizada",
            "prohibido prohibida prohibe prohiben vetado",
        ),
        "include": ("incluido incluida incluidos", "excluido excluida no_incluido aparte"),
        "rise": (
            """
                ampliado ampliada incrementado subio subieron sube suben subido aumento aumentaron
                aumenta aumentan aumentado crecio crecieron crece crecen crecido mejoro alza
            """,
            """
                recortado recortada bajo bajaron baja bajan bajado disminuyo disminuyeron disminuye cayo
                cayeron cae caen caido descendio reduce redujo redujeron reducido empeoro
            """,
        ),
        "more": ("mas", "menos"),
        "better": ("mejor", "peor"),
        "good": ("bueno buena buen", "malo mala mal"),
        "easy": ("facil sencillo sencilla", "dificil complicado complicada"),
        "hot": ("caliente calido calida caluroso", "frio fria fresco"),
        "big": ("grande grandes", "pequeno pequena pequenos"),
        "long": ("largo larga", "corto corta"),
        "high": ("alto alta elevado", "bajo_ bajos"),
        "fast": ("rapido rapida rapidamente", "lento lenta lentamente"),
        "cheap": ("barato barata economico mas_barato", "caro cara mas_caro costoso"),
        "old": ("mayor viejo vieja anciano", "menor joven"),
        "new": ("nuevo nueva", "viejo antiguo obsoleto"),
        "heavy": ("pesado pesada", "ligero ligera"),
        "bright": ("claro clara luminoso", "oscuro oscura"),
        "strong": ("fuerte", "debil"),
        "full": ("lleno llena ocupado ocupada completo_ agotado", "vacio vacia libre desocupado"),
        "wet": ("humedo humeda mojado", "seco seca"),
        "safe": ("seguro segura inofensivo", "peligroso peligrosa inseguro"),
        "public": ("publico publica", "privado privada confidencial secreto"),
        "internal": ("interno interna", "externo externa"),
        "manual": ("manual manualmente a_mano", "automatico automatica automaticamente"),
        "optional": ("opcional voluntario voluntaria", "obligatorio obligatoria imprescindible"),
        "free": ("gratis gratuito gratuita", "de_pago"),
        "paid": ("pagado pagada abonado abonada", "impagado impagada sin_pagar por_pagar pendiente_de_pago"),
        "remote": ("remoto remota a_distancia teletrabaja desde_casa", "presencial en_la_oficina in_situ"),
        "synchronous": ("sincrono sincrona", "asincrono asincrona"),
        "left": ("izquierda izquierdo", "derecha derecho"),
        "north": ("norte", "sur"),
        "east": ("este_de", "oeste"),
        "up": ("arriba superior", "abajo inferior"),
        "front": ("delante delantero", "detras trasero trasera"),
        "married": ("casado casada", "soltero soltera divorciado divorciada"),
        "vegetarian": ("vegetariano vegetariana vegano vegana", "carne carnivoro"),
        "indoor": ("interior dentro", "exterior fuera al_aire_libre"),
        "day": ("de_dia", "por_las_noches"),
        "morning": ("de_manana manana por_la_manana", "de_noche de_tarde noche tarde por_la_tarde por_la_noche"),
        "win": ("gano ganado gana ganaron victoria", "perdio perdido pierde perdieron derrota"),
        "buy": ("compro comprado compra", "vendio vendido vende venta_de"),
        "begin": ("empieza comienza empezo comenzo", "termina acaba termino acabo"),
        "confirm": (
            "confirmado confirmada confirma",
            "cancelado cancelada desmentido anulado anulada aplazado aplazada",
        ),
        "work": (
            "funciona intacto operativo en_buen_estado",
            "averiado averiada roto rota estropeado estropeada defectuoso defectuosa danado",
        ),
        "encrypted": ("cifrado cifrada cifrados cifradas encriptado", "sin_cifrar en_claro texto_plano"),
        "signed": ("firmado firmada", "sin_firmar"),
        "permanent": ("permanente fijo fija indefinido indefinida", "temporal provisional"),
        "full_time": ("tiempo_completo jornada_completa", "media_jornada tiempo_parcial"),
        "pass": ("aprobado superado exito exitoso", "suspendido suspenso fallado fracaso fallido fallo"),
        "true": (
            "verdadero verdadera correcto correcta cierto valido",
            "falso falsa incorrecto incorrecta erroneo invalido",
        ),
        "present": ("presente asistio", "ausente falto"),
        "alive": ("vivo viva", "muerto muerta fallecido fallecida murio"),
        "stable": ("estable", "inestable"),
        "love": ("gusta gustan encanta encantan adora ama le_gusta prefiere_a", "odia detesta disgusta aborrece"),
        "agree": ("de_acuerdo a_favor", "en_desacuerdo en_contra se_opone"),
        "clean": ("limpio limpia", "sucio sucia"),
        "happy": ("contento contenta satisfecho satisfecha feliz", "descontento insatisfecho infeliz"),
        "available": ("en_existencias en_stock", "agotado agotada sin_existencias"),
        "needed": ("necesario necesaria", "innecesario innecesaria"),
        "possible": ("posible", "imposible"),
        "compatible": ("compatible", "incompatible"),
        "known": ("conocido conocida", "desconocido desconocida"),
        "fresh": ("fresco fresca", "caducado podrido"),
        "loud": ("ruidoso ruidosa", "silencioso silenciosa tranquilo"),
        "thick": ("grueso gruesa", "fino delgado"),
        "wide": ("ancho ancha", "estrecho estrecha"),
        "early": ("temprano pronto", "tarde tardio"),
        "near": ("cerca cercano", "lejos lejano"),
        "rare": ("raramente rara_vez poco_frecuente", "a_menudo frecuente frecuentemente con_frecuencia"),
        "keep": (
            "renovado renovada renueva mantiene conserva prorrogado",
            "rescindido rescindida eliminado eliminada borrado borrada suprimido",
        ),
        "locked": ("bloqueado bloqueada", "desbloqueado desbloqueada"),
        "hired": ("contratado contratada", "despedido despedida dimitio"),
        "stop": ("arrancado reanudado iniciado", "detenido suspendido interrumpido"),
        "same": ("igual identico", "distinto diferente"),
        "profit": ("beneficio ganancia rentable", "perdida perdidas"),
        "sweet": ("dulce", "salado amargo acido"),
        "connected": ("conectado conectada", "desconectado desconectada"),
        "visible": ("visible", "invisible oculto oculta"),
        "smoker": ("fuma fumador fumadora", "no_fumador no_fumadora"),
        "import": ("importa importado", "exporta exportado"),
        "ahead": (
            "adelantado segun_lo_previsto puntual a_tiempo",
            "retraso con_retraso retrasado retrasada con_retraso",
        ),
    },
    concepts={
        "home": "domicilio vive vive_en reside",
        "written": "escrito_en programado_en escrita_en",
        "next": "proximo proxima siguiente",
        "place": "donde ubicacion lugar_de",
        "owner": "propietario propietaria dueno duena responsable titular pertenece mantiene",
        "boss": """
            jefe jefa superior responsable_directo responsable_directa supervisor supervisora responde
            depende_de ante
        """,
        "lead": """
            dirige lidera director directora lider jefe_de_proyecto jefa_de_proyecto coordinador
            coordinadora encabeza
        """,
        "birthday": "cumpleanos nacimiento nacio nacido fecha_de_nacimiento",
        "capital": "capital",
        "ceo": "consejero_delegado director_general directora_general",
        "mayor": "alcalde alcaldesa",
        "founder": "fundador fundadora fundo",
        "author": "autor autora",
        "branch": "rama",
        "region": "region",
        "spouse": "marido esposa esposo conyuge mujer_de",
        "mother": "madre",
        "father": "padre",
        "blood": "grupo_sanguineo tipo_de_sangre",
        "cause": "causa causo motivo provoco provocado",
        "colour": "color pintado pintada",
        "deadline": "plazo vencimiento fecha_limite",
        "email": "correo",
        "phone": "telefono movil",
        "headcount": "personas empleados plantilla trabajadores miembros asistentes",
        "length": "longitud distancia largo",
        "size": "tamano",
        "weight": "peso masa pesa",
        "height": "altura altitud alto",
        "width": "anchura ancho",
        "depth": "profundidad",
        "price": "saldo resto importe valor monto cuantia precio coste costo tarifa cuesta alquiler",
        "budget": "presupuesto",
        "limit": "limite maximo maxima capacidad tope minimo minima umbral aforo",
        "disk": "disco almacenamiento",
        "memory": "memoria",
        "duration": "periodo tiempo duracion dura",
        "latency": "latencia tiempo_de_respuesta",
        "rank": "puesto posicion clasificacion",
        "start": """
            incorporo incorporacion entro_en inicio comienzo comienza empieza apertura abre inauguracion
            arranque
        """,
        "end": "fin final termina caduca vence caducidad finaliza cierre",
        "release": "lanzamiento publicacion publica publico sale salio entrega",
        "arrive": "vuelta vuelve regresa regreso llegada llega visita vienen llegan",
        "train": "tren",
        "city": "ciudad",
        "status": "nivel estado situacion resultado decision",
        "address": "direccion",
        "default": "defecto por_defecto predeterminado predeterminada",
        "primary": "principal",
        "favourite": "favorito favorita preferido preferida",
        "day": "cuando ano mes fechas dia fecha",
        "language": "idioma lenguaje",
        "timezone": "zona_horaria huso_horario",
        "discount": "descuento rebaja",
        "version": "version",
        "revenue": "ingresos facturacion",
        "seat": "plazas asientos",
        "hq": "sede",
        "title": "profesion puesto_de_trabajo",
        "age": "edad",
        "doctor": "medico_de_cabecera medico medica",
        "contact": "contacto persona_de_contacto",
        "deputy": "suplente adjunto",
        "room": "sala habitacion",
        "customer": "cliente clientes",
        "meeting": "reunion reune",
        "supplier": "proveedor",
        "birthplace": "origen procedencia viene_de procede_de lugar_de_nacimiento",
        "payment": "pago paga",
        "nationality": "nacionalidad",
        "currency": "moneda divisa",
        "insurer": "aseguradora",
        "winner": "ganador ganadora",
        "database": "base_de_datos",
        "venue": "lugar",
        "teacher": "maestro maestra",
        "temperature": "temperatura",
        "area": "superficie area",
    },
    relations={
        "left_of": ("a_la_izquierda_de", "a_la_derecha_de"),
        "boss": ("responde_ante depende_de reporta_a informa_a", "dirige supervisa jefe_de jefa_de responsable_de"),
        "acquire": ("compro adquirio compra adquiere", "comprada_por comprado_por adquirida_por adquirido_por"),
        "prefer": ("prefiere", ""),
        "before": ("antes_que antes_de precede delante_de", "despues_de despues_que detras_de"),
        "teach": (
            "ensena_a mentora_de mentor_de tutor_de tutora_de profesor_de profesora_de",
            "alumno_de alumna_de aprendiz_de",
        ),
        "parent": ("padre_de madre_de", "hijo_de hija_de"),
        "beat": ("gano_a vencio_a derroto_a gano vencio", "perdio_contra perdio_ante"),
        "depend": ("llama_a requiere", "llamado_por"),
        "replace": ("sustituye_a reemplaza_a sustituye reemplaza", "sustituido_por reemplazado_por sustituida_por"),
        "north": ("al_norte_de", "al_sur_de"),
        "east": ("al_este_de", "al_oeste_de"),
        "above": ("encima_de", "debajo_de"),
    },
)
