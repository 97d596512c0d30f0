"""Opposites and keys that the main languages have alike, side by side, so that a family is whole in all of them.

A sentence's own language decides which row is read. What only one language has, and what was there before, stands in
that language's file; the lists of both are joined.
"""

OPPOSITES: dict[str, dict[str, tuple[str, str]]] = {
    "reach": {
        "en": (
            "reachable_from_the_internet internet_facing public_facing publicly_reachable publicly_accessible exposed",
            "internal_only unreachable behind_the_vpn vpn_only private_network isolated",
        ),
        "de": ("aus_dem_internet_erreichbar oeffentlich_erreichbar", "nur_intern nur_ueber_vpn abgeschottet"),
        "fr": ("accessible_depuis_internet expose_sur_internet", "interne_uniquement uniquement_interne isole"),
        "es": ("accesible_desde_internet expuesto_a_internet", "solo_interno aislado"),
        "ru": ("доступен_из_интернета открыт_наружу", "только_внутри изолирован"),
    },
    "opt": {
        "en": ("opt_in", "opt_out"),
    },
    "shipped": {
        "en": (
            "has_shipped was_shipped dispatched sent_out delivered handed_over",
            "to_be_dispatched to_be_shipped awaiting_dispatch not_shipped undelivered held_back",
        ),
        "de": ("verschickt versandt ausgeliefert zugestellt", "zurueckgehalten versandbereit"),
        "fr": ("expedie expediee envoye envoyee livre_hier", "en_attente_d_envoi retenu_en_stock"),
        "es": ("enviado enviada despachado entregado", "pendiente_de_envio retenido"),
        "ru": ("отправлен отправлена отправлено доставлен доставлена", "ожидает_отправки задержан"),
    },
    "open": {
        "en": ("welcome_to_enter unlocked_for_all", "closed_to fenced_off cordoned_off sealed boarded_up"),
        "de": ("aufgemacht auf_ist steht_offen", "abgesperrt verschlossen zugemacht versperrt versiegelt"),
        "fr": ("rouvert rouverte", "condamne condamnee barree scelle"),
        "es": ("reabierto reabierta", "clausurado clausurada bloqueado tapiado sellado"),
        "ru": ("распахнут распахнуто вновь_открыт", "перекрыт перекрыта заперт заперта запечатан заколочен"),
    },
    "on": {
        "en": (
            """
                occupied_this_year inhabited in_active_use is_on_. are_on_. lit burning powered_up
                back_on turned_back_on in_operation in_production_use deployed
            """,
            """
                abandoned disused unused unlit shut_down taken_down mothballed decommissioned
                switched_off_again idle dormant powered_down
            """,
        ),
        "de": (
            "bewohnt ist_an_. sind_an_. brennt leuchtet in_gang wieder_an",
            """
                verlassen_ist ungenutzt unbenutzt aufgegeben ist_aus_. sind_aus_. erloschen
                heruntergefahren ausgemacht stillgelegt abgeklemmt
            """,
        ),
        "fr": ("rallume rallumee remis_en_marche", "abandonne coupee mis_hors_service debranche debranchee"),
        "es": (
            "en_uso_diario encendidas encendidos prendido prendida en_funcionamiento",
            "abandonado abandonada sin_uso apagadas apagados desenchufado inhabilitado",
        ),
        "ru": (
            "включены горит горят запущен запущена задействован работает_снова",
            """
                заброшен не_используется_больше погашен потушен остановлен остановлена отключен
                отключена отключены выключены обесточен
            """,
        ),
    },
    "accept": {
        "en": (
            """
                says_yes said_yes agreed_to waved_through signed_off greenlit green_lit
                given_the_go_ahead welcomed takes_on
            """,
            """
                says_no said_no turned_away knocked_back vetoed rebuffed thrown_out dismissed_it unwelcome
                 closed_to_visitors shot_down
            """,
        ),
        "de": ("zugesagt gebilligt befuerwortet sagt_zu nimmt_an bejaht", "sagt_ab abgewunken ausgeschlagen verneint"),
        "fr": ("agree agreee consenti dit_oui enterine", "dit_non ecarte ecartee repousse"),
        "es": ("dijo_que_si visto_bueno aceptan admitido admitida", "dijo_que_no desestimado desestimada descartado"),
        "ru": (
            "одобрено одобрили принята приняли согласился согласилась утвердили утвержден утверждена",
            "отклонил отклонила отклонили отклонено отказал отказали отказался отказалась отверг отвергли",
        ),
    },
    "allow": {
        "en": (
            "open_to may_enter is_fine_with entitled authorised authorized welcome_here ok_to",
            "closed_to barred against_the_rules no_entry unlawful strictly_no",
        ),
        "de": ("frei_fuer offen_fuer genehmigt duerfen darf", "gesperrt_fuer unerlaubt tabu unstatthaft"),
        "fr": (
            "ouvert_aux ouvert_a ouverte_aux a_le_droit licite legal",
            "ferme_aux fermee_aux interdit_aux illegal illicite bannis banni proscrit",
        ),
        "es": ("abierto_a abierta_a licito legal", "cerrado_a cerrada_a ilegal vetada ilicito"),
        "ru": (
            "открыт_для открыта_для разрешено разрешен разрешена разрешены можно допускается позволено",
            "закрыт_для запрещен_въезд запрещено запрещен запрещена запрещены нельзя воспрещается",
        ),
    },
    "include": {
        "en": ("bundled thrown_in factored_in", "sold_separately not_included costs_extra leaves_out"),
        "de": ("mitenthalten beiliegend eingeschlossen", "separat_erhaeltlich extra_zu_bezahlen"),
        "fr": ("inclut_aussi incluses englobe", "vendu_separement en_supplement"),
        "es": ("incluye incluyen incluidas", "se_vende_aparte excluye"),
        "ru": ("включен_в входит_в входят_в в_комплекте", "исключен продается_отдельно за_доплату"),
    },
    "work": {
        "en": (
            """
                in_working_order works_well runs_fine runs_smoothly repaired mended
                back_in_service in_good_order serviceable
            """,
            "does_not_work out_of_action kaput bust busted jammed stuck leaks leaking cracked worn_out torn failing",
        ),
        "de": ("repariert laeuft_einwandfrei laeuft_rund betriebsbereit dichtet", "leckt undicht klemmt verschlissen"),
        "fr": ("repare reparee en_etat_de_marche marche_bien", "fuit bloque bloquee grippe fissure"),
        "es": (
            "funciona funcionan reparado reparada en_buen_estado arreglada",
            "averiado averiada estropeado estropeada roto rota atascado gotea inservible",
        ),
        "ru": (
            "исправен исправна исправно исправны починен починили отремонтирован",
            "сломан сломана сломано сломался сломалась неисправен неисправна поврежден течет заклинило",
        ),
    },
    "alive": {
        "en": ("thriving still_alive flourishing", "perished withered wilted extinct passed_away"),
        "de": ("gedeiht am_leben", "eingegangen verwelkt ausgestorben"),
        "fr": ("en_vie prospere", "fane disparu_en deperit"),
        "es": ("vivo viva con_vida", "muerto muerta marchito fallecio fallecido murio"),
        "ru": ("жив жива живы растет_хорошо", "мертв умер умерла погиб погибла скончался засох завял"),
    },
    "love": {
        "en": (
            """
                passionate_about can_t_get_enough favours favors crazy_about happy_to
                has_a_soft_spot relishes appreciates
            """,
            """
                can_t_stand cannot_bear can_t_bear despises not_a_fan avoids detested sick_of dreads
                put_off_by no_fan_of has_no_time_for resents abhors
            """,
        ),
        "de": (
            "begeistert schwaermt lieber_als steht_auf geniesst_es liebt_es",
            "kann_nicht_leiden kann_nicht_ausstehen verschmaeht ekelt graut missfaellt",
        ),
        "fr": ("raffole passionne passionnee apprecient friand", "a_horreur execre redoute ne_supporte_pas deplait"),
        "es": (
            "encanta encantan adora disfruta apasiona le_gusta le_gustan ama",
            "odia odian detesta aborrece no_soporta no_aguanta repugna desagrada",
        ),
        "ru": (
            "любит обожает нравится нравятся предпочитает_всему в_восторге",
            "ненавидит терпеть_не_может не_выносит не_переносит избегает презирает",
        ),
    },
    "hired": {
        "en": (
            "taken_on started_working employed in_employment on_the_payroll appointed reinstated",
            "sacked made_redundant unemployed jobless let_go stepped_down retired_from no_longer_employed handed_in",
        ),
        "de": ("angestellt beschaeftigt berufen", "arbeitslos entlassen_worden ausgeschieden"),
        "fr": ("engage engagee salarie salariee", "renvoye renvoyee chomage vire viree"),
        "es": (
            "contratado contratada contrataron",
            "despedido despedida despidieron desempleado en_paro dimitio",
        ),
        "ru": ("принят_на_работу нанят нанята работает_в", "уволен уволена уволили уволился уволилась безработный"),
    },
    "keep": {
        "en": (
            "preserved stays_forever kept_forever never_deleted archived stored_for",
            "dropped_after purged wiped erased discarded thrown_away evicted destroyed ditched phased_out abolished",
        ),
        "de": ("aufbewahrt aufgehoben erhalten_geblieben", "weggeworfen verworfen vernichtet ausgemustert getilgt"),
        "fr": ("conservee conservees preserve", "jete jetee detruit detruite efface effacee purge"),
        "es": (
            "conservado conservada guardado guardada renovado prorrogado",
            "borrado borrada eliminado eliminada destruido cancelado rescindido tirado",
        ),
        "ru": (
            "сохранен сохранены хранится хранятся продлен продлили оставлен",
            "удален удалены удаляется удаляются уничтожен стерт расторгнут выброшен",
        ),
    },
    "stop": {
        "en": (
            "carries_on goes_on ongoing_again under_way_again restarted takes_up took_up picked_up",
            "gave_up quits quit_smoking no_longer_does has_ended shelved on_hold called_a_halt given_up packed_in",
        ),
        "de": ("laeuft_weiter aufgenommen angefangen_mit", "aufgehoert aufgegeben ausgesetzt auf_eis ruht"),
        "fr": ("continue poursuivi reprise relance", "cesse arrete_de abandonnee en_pause mis_en_pause"),
        "es": (
            "continua sigue_en_marcha reanudado retomado",
            "dejo_de parado suspendido suspendida interrumpido en_pausa",
        ),
        "ru": (
            "продолжается продолжил возобновлен начал начала",
            "прекратил прекратила прекращен бросил бросила приостановлен",
        ),
    },
    "confirm": {
        "en": (
            "goes_ahead going_ahead takes_place as_planned still_on",
            "does_not_take_place put_off scrubbed dropped_out",
        ),
        "de": ("wie_geplant bleibt_dabei", "abgeblasen vertagt gestrichen_worden"),
        "fr": ("a_bien_lieu comme_prevu", "n_aura_pas_lieu ajourne ajournee"),
        "es": (
            "confirmado confirmada sigue_en_pie segun_lo_previsto",
            "cancelado cancelada aplazado aplazada suspendido",
        ),
        "ru": (
            "подтвержден подтверждена состоится по_плану",
            "отменен отменена отменили перенесен перенесена",
        ),
    },
    "pass": {
        "en": (
            "went_well without_errors cleanly got_through qualified made_it",
            "errored ended_in_an_error with_an_error crashes timed_out flunked did_not_pass",
        ),
        "de": (
            "fehlerfrei glatt_gelaufen geschafft geglueckt durchgekommen",
            "mit_fehler abgebrochen mit_einem_fehler missglueckt",
        ),
        "fr": (
            "sans_erreur abouti recu recue obtenu",
            "en_erreur avec_une_erreur plante recale recalee rate ratee echoue",
        ),
        "es": (
            "sin_errores aprobo superado superada con_exito logrado",
            "con_errores con_error abortado suspendio fallido fallida fracaso fracasado fallo",
        ),
        "ru": (
            "без_ошибок сдал сдала сдан успешно удалось прошел_проверку",
            "с_ошибкой ошибкой упал провалил провалила неудачно неудача",
        ),
    },
    "done": {
        "en": (
            "wrapped_up handed_in delivered_in_full all_set ready",
            "half_done still_open to_be_done outstanding unbuilt",
        ),
        "de": ("bereit fertiggestellt erledigt abgegeben", "noch_offen halbfertig steht_aus"),
        "fr": ("pret prete bouclee boucle acheves", "pas_pret inacheves a_faire en_preparation"),
        "es": ("listo lista hecho hecha terminadas", "por_hacer en_obras"),
        "ru": (
            "готов готова готово готовы завершен завершена завершено закончен закончена выполнен",
            "недостроен в_работе в_процессе незавершен",
        ),
    },
    "full": {
        "en": (
            "crowded packed crammed filled taken no_vacancies",
            "deserted unfilled free_now drained emptied spare available_to_rent",
        ),
        "de": ("gefuellt ueberfuellt vergeben", "geleert verlassen unbelegt unbewohnt leerstehend"),
        "fr": ("rempli remplie bonde bondee complet loue louee", "videe desert deserte inoccupee libres vacante"),
        "es": ("lleno llena llenos ocupado ocupada completo", "vacio vacia vacios libre desocupado desierto"),
        "ru": ("полон полна полный заполнен занят занята занято", "пуст пуста пусто пустой свободен свободна свободно"),
    },
    "locked": {
        "en": ("bolted padlocked", "unbolted unsecured"),
        "de": ("abgesperrt", "aufgeschlossen"),
        "fr": ("verrouillee ferme_a_cle cadenasse", "deverrouillee"),
        "es": ("bajo_llave con_llave", "sin_llave desbloqueado desbloqueada"),
        "ru": ("заперта_на на_замке заблокирован", "незаперт разблокирован"),
    },
    "present": {
        "en": (
            "turned_up showed_up took_part takes_part participated on_board in_place",
            "stayed_away did_not_attend no_show",
        ),
        "de": ("erschienen teilgenommen nimmt_teil", "ferngeblieben"),
        "fr": ("venu venue participe assiste", "excuse excusee n_est_pas_venu"),
        "es": ("asistio presente presentes acudio participo", "ausente ausentes falto"),
        "ru": (
            "присутствовал присутствовала присутствует пришел пришла участвовал",
            "отсутствовал отсутствовала пропустил",
        ),
    },
    "healthy": {
        "en": (
            "healthy well_again recovered cured in_good_health fit",
            "ill sick unwell poorly ailing infected diseased",
        ),
        "de": ("gesund genesen kerngesund", "krank erkrankt kraenklich"),
        "fr": ("en_bonne_sante gueri guerie sain saine bien_portant", "malade souffrant souffrante"),
        "es": ("sano sana sanos sanas curado recuperado", "enfermo enferma enfermos malito"),
        "ru": ("здоров здорова здоровы выздоровел выздоровела", "болен больна больны заболел заболела"),
    },
    "awake": {
        "en": ("awake wide_awake", "asleep sleeping"),
        "de": ("wach", "schlaeft eingeschlafen"),
        "fr": ("eveille reveille reveillee", "endormi endormie dort"),
        "es": ("despierto despierta", "dormido dormida duerme"),
        "ru": ("бодрствует", "спит уснул уснула"),
    },
    "rich": {
        "de": ("reich wohlhabend", "arm mittellos"),
        "fr": ("riche aise", "pauvre"),
        "es": ("rico adinerado", "pobre"),
        "ru": ("богат богатый", "беден бедный"),
    },
    "strict": {
        "de": ("streng strikt", "locker nachsichtig flexibel"),
        "fr": ("strict stricte severe", "souple laxiste flexible"),
        "es": ("estricto estricta severo", "flexible laxo permisivo"),
        "ru": ("строгий строго жесткий", "гибкий мягкие_правила нестрогий"),
    },
    "soft": {
        "de": ("weich", "hart"),
        "fr": ("mou molle moelleux tendre", "dur dure"),
        "es": ("blando blanda suave", "duro dura"),
        "ru": ("мягкий мягкая мягкое", "твердый твердая жесткая"),
    },
    "deep": {
        "de": ("tiefes tiefe_stelle", "flach seicht"),
        "fr": ("profond profonde", "peu_profond"),
        "es": ("profundo profunda", "poco_profundo somero"),
        "ru": ("глубокий глубокая глубоко", "мелкий мелкая неглубокий"),
    },
    "smooth": {
        "de": ("glatt", "rau uneben"),
        "fr": ("lisse", "rugueux rugueuse"),
        "es": ("liso lisa", "aspero rugoso"),
        "ru": ("гладкий гладкая", "шершавый неровный"),
    },
    "raw": {
        "de": ("roh ungekocht", "gekocht gebraten gegart"),
        "fr": ("cru crue", "cuit cuite"),
        "es": ("crudo cruda", "cocido cocida cocinado"),
        "ru": ("сырой сырая сырым", "вареный жареный вареная"),
    },
    "shared": {
        "en": ("shares shared_with in_common", "of_its_own of_her_own of_his_own separate"),
        "de": ("gemeinsam geteilt", "eigener eigenes eigene getrennt"),
        "fr": ("partage partagee commun commune", "individuel individuelle a_part separe"),
        "es": ("compartido compartida comun", "individual propio separado"),
        "ru": ("общий общая общее совместный", "отдельный отдельная отдельное собственный"),
    },
    "writable": {
        "de": ("schreibbar beschreibbar", "nur_lesen schreibgeschuetzt nur_lesend"),
        "fr": ("modifiable", "lecture_seule"),
        "es": ("modificable escribible", "solo_lectura solo_de_lectura"),
        "ru": ("доступен_для_записи", "только_для_чтения только_чтение"),
    },
    "synchronous": {
        "de": ("synchron", "asynchron"),
        "es": ("sincrono sincrona", "asincrono asincrona"),
        "ru": ("синхронно синхронный синхронная", "асинхронно асинхронный асинхронная"),
    },
    "centralised": {
        "de": ("zentralisiert zentral_verwaltet", "dezentral verteilt"),
        "fr": ("centralise centralisee", "decentralise distribue reparti"),
        "es": ("centralizado centralizada", "descentralizado distribuido"),
        "ru": ("централизован централизованный", "децентрализован распределенный"),
    },
    "ascending": {
        "de": ("aufsteigend", "absteigend"),
        "fr": ("croissant", "decroissant"),
        "es": ("ascendente", "descendente"),
        "ru": ("по_возрастанию", "по_убыванию"),
    },
    "horizontal": {
        "de": ("waagerecht horizontal", "senkrecht vertikal"),
        "fr": ("horizontal horizontale", "vertical verticale"),
        "es": ("horizontal", "vertical"),
        "ru": ("горизонтально горизонтальный", "вертикально вертикальный"),
    },
    "positive": {
        "de": ("positiv", "negativ"),
        "fr": ("positif positive", "negatif negative"),
        "es": ("positivo positiva", "negativo negativa"),
        "ru": ("положительный положительная положительно", "отрицательный отрицательная отрицательно"),
    },
    "trust": {
        "en": ("reliable dependable trustworthy credible", "unreliable untrustworthy undependable erratic"),
        "de": ("vertraut zuverlaessig verlaesslich", "misstraut unzuverlaessig"),
        "fr": ("fiable fiables fait_confiance", "peu_fiable se_mefie"),
        "es": ("fiable confiable se_fia confia_en", "poco_fiable desconfia"),
        "ru": ("надежен надежный надежная доверяет", "ненадежен ненадежный"),
    },
    "effective": {
        "de": ("wirksam wirkungsvoll hilft", "wirkungslos unwirksam nutzlos"),
        "fr": ("efficace", "inefficace sans_effet"),
        "es": ("eficaz efectivo", "ineficaz inutil"),
        "ru": ("эффективен эффективно помогает действенный", "неэффективен бесполезно бесполезен"),
    },
    "guilty": {
        "de": ("schuldig", "unschuldig freigesprochen"),
        "fr": ("coupable", "innocent innocente acquitte"),
        "es": ("culpable", "inocente absuelto"),
        "ru": ("виновен виновна", "невиновен невиновна оправдан"),
    },
    "sunny": {
        "de": ("sonnig", "regnerisch bewoelkt schattig"),
        "fr": ("ensoleille ensoleillee", "pluvieux nuageux ombrage"),
        "es": ("soleado soleada", "lluvioso nublado sombreado"),
        "ru": ("солнечно солнечный солнечная", "дождливо пасмурно тенистый"),
    },
    "teetotal": {
        "de": ("trinkt_alkohol trinkt_gern", "abstinent trocken_seit trinkt_nicht"),
        "fr": ("boit_de_l_alcool", "abstinent abstinente ne_boit_pas"),
        "es": ("bebe_alcohol", "abstemio abstemia"),
        "ru": ("пьет_алкоголь выпивает", "непьющий не_пьет трезвенник"),
    },
    "smoker": {
        "en": ("smoking_again lights_up", "gave_up_smoking stopped_smoking quit_smoking"),
        "de": ("raucht_wieder", "rauchfrei"),
        "es": ("fuma fumador fumadora", "dejo_de_fumar"),
        "ru": ("курит курящий курящая", "некурящий некурящая бросил_курить бросила_курить"),
    },
    "vegetarian": {
        "en": ("plant_based meat_free veggie", "eats_beef eats_pork steak omnivore"),
        "de": ("fleischlos pflanzlich veganer veganerin", "isst_fleisch allesesser"),
        "es": ("vegetariano vegetariana vegano vegana", "carne carnivoro"),
        "ru": ("вегетарианец вегетарианка веган вегетарианский", "мясо мясоед"),
    },
    "remote": {
        "en": (
            "teleworks home_office works_from_home telecommutes distributed_team",
            "in_person at_the_office face_to_face",
        ),
        "de": ("telearbeit von_daheim aus_der_ferne", "praesenz in_praesenz persoenlich"),
        "es": ("a_distancia en_remoto teletrabajo desde_casa teletrabaja", "presencial en_la_oficina en_persona"),
        "ru": ("удаленно удаленный из_дома дистанционно", "в_офисе очно на_месте лично"),
    },
    "married": {
        "en": ("wed is_engaged has_a_wife has_a_husband", "never_married bachelor widowed separated"),
        "es": ("casado casada", "soltero soltera divorciado divorciada"),
        "ru": ("женат замужем", "холост разведен разведена неженат"),
    },
    "insured": {
        "en": ("insured", "uninsured"),
        "de": ("versichert", "unversichert"),
        "fr": ("assure assuree", ""),
        "es": ("asegurado asegurada", ""),
        "ru": ("застрахован застрахована", ""),
    },
    "vaccinated": {
        "en": ("vaccinated immunised immunized", "unvaccinated"),
        "de": ("geimpft", "ungeimpft"),
        "fr": ("vaccine vaccinee", ""),
        "es": ("vacunado vacunada", "sin_vacunar"),
        "ru": ("привит привита вакцинирован", "непривит"),
    },
    "heated": {
        "en": ("heated", "unheated"),
        "de": ("beheizt geheizt", "unbeheizt ungeheizt"),
        "fr": ("chauffe chauffee", ""),
        "es": ("climatizado climatizada calefactado", "sin_calefaccion sin_climatizar"),
        "ru": ("отапливается отапливаемый", "неотапливаемый"),
    },
    "supported": {
        "en": (
            "actively_maintained still_maintained supported",
            "unmaintained unsupported end_of_life deprecated abandoned",
        ),
        "de": ("gepflegt unterstuetzt gewartet", "ungepflegt"),
        "fr": ("maintenu_activement pris_en_charge", "deprecie obsolete"),
        "es": ("con_soporte mantenido", "obsoleto sin_soporte sin_mantenimiento"),
        "ru": ("поддерживается поддерживаются", "устарел заброшен"),
    },
    "tested": {
        "en": ("tested", "untested"),
        "de": ("getestet geprueft", "ungetestet ungeprueft"),
        "fr": ("teste testee verifie", ""),
        "es": ("probado probada verificado", "sin_probar sin_verificar"),
        "ru": ("проверен протестирован", "непроверенный"),
    },
    "friendly": {
        "en": ("friendly polite kind gentle tame", "unfriendly hostile rude aggressive bites"),
        "de": ("freundlich hoeflich zahm", "unfreundlich unhoeflich aggressiv bissig"),
        "fr": ("aimable poli gentil gentille", "desagreable impoli agressif mechant"),
        "es": ("amable simpatico manso", "antipatico grosero agresivo"),
        "ru": ("дружелюбный вежливый добрый ласковый", "недружелюбный грубый агрессивный злой"),
    },
    "shy": {
        "en": ("shy introverted reserved", "outgoing extroverted sociable"),
        "de": ("schuechtern zurueckhaltend", "kontaktfreudig gesellig"),
        "fr": ("timide reserve", "extraverti sociable"),
        "es": ("timido timida reservado", "extrovertido sociable"),
        "ru": ("застенчивый замкнутый", "общительный"),
    },
    "crowded": {
        "en": ("busy hectic lively", "quiet_all_day calm peaceful"),
        "fr": ("anime animee", "paisible"),
        "es": ("concurrido bullicioso", "tranquilo tranquila"),
    },
    "complete": {
        "en": ("in_full every_one_of all_of_them", "only_partly partial partially in_part"),
        "de": ("zur_gaenze vollumfaenglich", "teilweise unvollstaendig"),
        "fr": ("entierement integralement", "partiellement partiel"),
        "es": ("totalmente por_completo integramente", "parcialmente parcial"),
        "ru": ("полностью целиком", "частично частичный"),
    },
    "native": {
        "en": ("original genuine authentic real", "fake counterfeit forged copy replica"),
        "de": ("echt original", "gefaelscht faelschung nachgemacht unecht"),
        "fr": ("authentique veritable", "contrefait contrefacon falsifie"),
        "es": ("autentico original genuino", "falsificado imitacion"),
        "ru": ("подлинный настоящий оригинал", "поддельный подделка фальшивый"),
    },
    "clear": {
        "en": ("clear transparent", "cloudy murky opaque"),
        "de": ("klar durchsichtig", "trueb undurchsichtig"),
        "fr": ("transparent limpide", "trouble opaque"),
        "es": ("transparente nitido", "turbio opaco"),
        "ru": ("прозрачный прозрачная", "мутный мутная непрозрачный"),
    },
    "calm": {
        "en": ("relaxed calm at_ease", "nervous anxious stressed tense"),
        "de": ("gelassen entspannt", "nervoes gestresst angespannt"),
        "fr": ("detendu serein", "nerveux stresse anxieux"),
        "es": ("relajado sereno", "nervioso estresado ansioso"),
        "ru": ("спокоен спокойный", "нервничает нервный тревожный"),
    },
    "safe": {
        "es": ("seguro segura inofensivo inocuo", "peligroso peligrosa inseguro danino"),
        "ru": ("безопасен безопасно безопасный безвреден", "опасен опасно опасный вреден"),
    },
    "edible": {
        "en": ("edible", "inedible poisonous toxic"),
        "de": ("essbar geniessbar", "ungeniessbar giftig"),
        "fr": ("comestible", "toxique veneneux immangeable"),
        "es": ("comestible", "venenoso toxico"),
        "ru": ("съедобный съедобен", "ядовитый несъедобный ядовит"),
    },
    "legible": {
        "en": ("legible readable", "illegible unreadable"),
        "de": ("lesbar leserlich", "unlesbar unleserlich"),
        "fr": ("lisible", "illisible"),
        "es": ("legible", "ilegible"),
        "ru": ("разборчиво читаемый", "неразборчиво нечитаемый"),
    },
    "reversible": {
        "en": ("reversible can_be_undone", "irreversible cannot_be_undone"),
        "de": ("umkehrbar rueckgaengig", "unumkehrbar endgueltig"),
        "fr": ("reversible", "irreversible"),
        "es": ("reversible", "irreversible"),
        "ru": ("обратимо", "необратимо"),
    },
    "renewable": {
        "en": ("rechargeable reusable washable refundable", "disposable single_use non_refundable throwaway"),
        "de": ("wiederverwendbar mehrweg erstattbar", "einweg"),
        "fr": ("reutilisable remboursable rechargeable", "jetable"),
        "es": ("reutilizable reembolsable recargable", "desechable"),
        "ru": ("многоразовый возвратный", "одноразовый невозвратный"),
    },
    "plural": {
        "en": ("single_threaded monolith monolithic", "multi_threaded multithreaded microservices"),
    },
    "typed": {
        "en": ("statically_typed", "dynamically_typed"),
    },
    "blocking": {
        "en": ("blocking", "non_blocking nonblocking"),
    },
    "inbound": {
        "en": ("inbound incoming", "outbound outgoing"),
        "de": ("eingehend", "ausgehend"),
        "fr": ("entrant entrante", "sortant sortante"),
        "es": ("entrante", "saliente"),
        "ru": ("входящий входящие", "исходящий исходящие"),
    },
    "hearing": {
        "en": ("hears_well hearing_is_good", "deaf hard_of_hearing"),
        "de": ("hoert_gut", "taub schwerhoerig gehoerlos"),
        "fr": ("entend_bien", "sourd sourde malentendant"),
        "es": ("oye_bien", "sordo sorda"),
        "ru": ("слышит хорошо_слышит", "глухой глухая глух"),
    },
    "sight": {
        "en": ("sees_well sighted", "blind short_sighted"),
        "de": ("sieht_gut", "blind"),
        "fr": ("voit_bien", "aveugle"),
        "es": ("ve_bien", "ciego ciega"),
        "ru": ("зрячий", "слепой слепая"),
    },
    "surface": {
        "en": ("asphalted tarmac surfaced", "gravel dirt_road dirt_track unsurfaced"),
        "de": ("asphaltiert gepflastert befestigt", "geschottert schotter unbefestigt"),
        "fr": ("goudronne goudronnee bitume pave", "gravier en_terre"),
        "es": ("asfaltado asfaltada pavimentado", "grava de_tierra"),
        "ru": ("асфальтирована асфальт асфальтирован", "грунтовая гравийная грунтовый"),
    },
    "team": {
        "en": (
            "prefers_to_work_alone on_her_own on_his_own single_handedly solo",
            "in_a_team as_a_team in_pairs with_colleagues",
        ),
        "de": ("allein alleine", "im_team gemeinsam_mit zu_zweit"),
        "fr": ("tout_seul en_solo", "en_equipe a_deux"),
        "es": ("a_solas en_solitario", "en_equipo en_pareja"),
        "ru": ("в_одиночку один_на", "в_команде вдвоем"),
    },
    "talk": {
        "en": ("talkative chatty", "taciturn quiet_man quiet_woman reticent"),
        "de": ("gespraechig redselig", "schweigsam wortkarg"),
        "fr": ("bavard bavarde loquace", "taciturne peu_bavard"),
        "es": ("hablador habladora charlatan", "callado callada taciturno"),
        "ru": ("разговорчив разговорчивый болтлив", "молчалив молчаливый неразговорчив"),
    },
    "drink": {
        "en": (
            "drinkable potable safe_to_drink fit_to_drink",
            "undrinkable not_potable unfit_to_drink contaminated polluted",
        ),
        "de": ("trinkbar trinkwasserqualitaet", "verunreinigt verkeimt ungeniessbar"),
        "fr": ("potable", "non_potable contamine polluee"),
        "es": ("potable", "contaminada contaminado"),
        "ru": ("питьевая", "загрязнена загрязнен"),
    },
    "hash": {
        "en": ("hashed salted encrypted_at_rest", "plain_text plaintext in_the_clear"),
        "de": ("gehasht", "klartext im_klartext"),
        "fr": ("hache hachees", "en_clair"),
        "es": ("cifrado cifrados con_hash cifrada", "en_claro en_texto_plano texto_plano"),
        "ru": ("хешируются зашифрован зашифрованы", "открытом_виде в_открытом_виде незашифрован"),
    },
    "child": {
        "en": ("is_a_parent has_children", "childless"),
        "de": ("hat_kinder", "kinderlos"),
        "fr": ("a_des_enfants", "sans_enfant"),
        "es": ("tiene_hijos", "sin_hijos"),
        "ru": ("есть_дети", "бездетный бездетна"),
    },
    "commute": {
        "en": (
            "drives_to by_car takes_the_car",
            "takes_the_train takes_the_bus by_train by_bus cycles_to walks_to by_bike",
        ),
        "de": ("mit_dem_auto", "mit_dem_zug mit_dem_bus mit_dem_rad mit_der_bahn zu_fuss"),
        "fr": ("en_voiture", "en_train en_bus a_velo a_pied"),
        "es": ("en_coche", "en_tren en_autobus en_bicicleta a_pie"),
        "ru": ("на_машине", "на_поезде на_автобусе на_велосипеде пешком"),
    },
    "ready": {
        "en": ("prepared well_prepared", "unprepared ill_prepared"),
        "de": ("vorbereitet", "unvorbereitet"),
        "fr": ("prepare preparee", "pris_au_depourvu"),
        "es": ("preparado preparada", "desprevenido"),
        "ru": ("подготовлен подготовлена", "неподготовлен"),
    },
    "late": {
        "en": ("always_on_time on_time punctually in_good_time", "late usually_late delayed overdue belated"),
        "es": ("puntual a_tiempo puntualmente", "tarde con_retraso impuntual"),
        "ru": ("вовремя в_срок пунктуален", "опаздывает с_опозданием опоздал задерживается"),
    },
    "experience": {
        "en": ("experienced expert skilled fluent fluently", "inexperienced novice beginner unskilled"),
        "de": ("erfahren geuebt fliessend", "unerfahren anfaenger anfaengerin"),
        "fr": ("experimente experimentee couramment", "debutant debutante inexperimente"),
        "es": ("experimentado con_experiencia con_fluidez", "principiante novato inexperto"),
        "ru": ("опытный опытная свободно_говорит", "новичок неопытный начинающий"),
    },
    "generous": {
        "en": ("generous", "stingy mean_with miserly"),
        "de": ("grosszuegig", "geizig knauserig"),
        "fr": ("genereux genereuse", "avare radin"),
        "es": ("generoso generosa", "tacano avaro"),
        "ru": ("щедрый щедра", "скупой жадный"),
    },
    "profitable": {
        "en": ("makes_a_profit in_the_black solvent", "makes_a_loss in_the_red bankrupt insolvent"),
        "de": ("schwarze_zahlen zahlungsfaehig rentabel", "rote_zahlen insolvent pleite zahlungsunfaehig"),
        "fr": ("solvable", "faillite en_faillite insolvable"),
        "es": ("rentable solvente", "en_quiebra quebrado insolvente"),
        "ru": ("прибылен рентабельна платежеспособен", "банкрот убыточен убыточна"),
    },
    "tidy": {
        "en": ("orderly neat well_organised", "chaotic cluttered untidy disorganised"),
        "de": ("ordentlich aufgeraeumt", "unordentlich chaotisch"),
        "fr": ("range rangee ordonne", "en_desordre desordonne"),
        "es": ("ordenado ordenada", "desordenado desordenada"),
        "ru": ("аккуратный прибран прибрана", "беспорядок неряшливый"),
    },
    "enough": {
        "en": ("enough sufficient suffices", "insufficient too_little too_few not_enough"),
        "de": ("genug ausreichend reicht_aus", "unzureichend zu_wenig"),
        "fr": ("suffisant suffit", "insuffisant trop_peu"),
        "es": ("suficiente basta", "insuficiente demasiado_poco"),
        "ru": ("достаточно хватает", "недостаточно не_хватает мало"),
    },
    "early": {
        "en": ("early_riser lark", "night_owl late_riser"),
        "de": ("fruehaufsteher fruehaufsteherin", "nachteule langschlaefer"),
        "fr": ("leve_tot matinal matinale", "couche_tard"),
        "es": ("madrugador madrugadora", "trasnochador nocturno"),
        "ru": ("жаворонок", "сова"),
    },
    "tea": {
        "en": ("dog_person", "cat_person"),
        "de": ("hundemensch", "katzenmensch"),
    },
    "hand": {
        "en": ("right_handed", "left_handed"),
        "de": ("rechtshaender rechtshaenderin", "linkshaender linkshaenderin"),
        "fr": ("droitier droitiere", "gaucher gauchere"),
        "es": ("diestro diestra", "zurdo zurda"),
        "ru": ("правша", "левша"),
    },
    "ripe": {
        "en": ("ripe", "unripe"),
        "de": ("reif", "unreif"),
        "fr": ("mur_et mure", "pas_mur"),
        "es": ("maduro madura", "inmaduro"),
        "ru": ("спелый спелая зрелый", "неспелый незрелый"),
    },
    "fertile": {
        "en": ("fertile", "barren infertile"),
        "de": ("fruchtbar", "unfruchtbar"),
        "fr": ("fertile", "sterile"),
        "es": ("fertil", "esteril"),
        "ru": ("плодородный", "бесплодный"),
    },
    "sober": {
        "en": ("sober", "drunk intoxicated"),
        "de": ("nuechtern", "betrunken"),
        "fr": ("sobre", "ivre"),
        "es": ("sobrio sobria", "borracho borracha"),
        "ru": ("трезвый", "пьяный"),
    },
    "dated": {
        "en": ("up_to_date current_version latest", "out_of_date outdated stale"),
        "de": ("aktuell auf_dem_neuesten_stand", "veraltet ueberholt"),
        "fr": ("a_jour", "perime obsolete pas_a_jour"),
        "es": ("al_dia actualizado actualizada", "desactualizado desfasado obsoleto"),
        "ru": ("актуален обновлен актуальный", "устарел устарела устаревший"),
    },
    "used": {
        "en": ("brand_new unused", "second_hand used_before pre_owned refurbished"),
        "de": ("neuwertig fabrikneu", "gebraucht aus_zweiter_hand"),
        "fr": ("tout_neuf", "d_occasion"),
        "es": ("a_estrenar", "de_segunda_mano"),
        "ru": ("новехонький", "подержанный б_у"),
    },
    "rented": {
        "en": ("owner_occupied freehold owns_the_flat", "rented leased rents"),
        "de": ("eigentumswohnung im_eigentum", "mietwohnung gemietet zur_miete"),
        "fr": ("proprietaire_occupant", "en_location loue_a"),
        "es": ("en_propiedad", "de_alquiler alquilado alquilada"),
        "ru": ("собственная", "съемная арендованная арендуется"),
    },
    "day": {
        "en": ("during_the_day in_the_daytime daytime_only", "during_the_night night_only nights"),
        "de": ("bei_tag am_tag", "bei_nacht in_der_nacht"),
        "fr": ("en_journee pendant_la_journee", "pendant_la_nuit nocturne"),
        "es": ("de_dia durante_el_dia", "de_noche por_la_noche"),
        "ru": ("днем", "ночью"),
    },
    "running": {
        "en": (
            "is_running_. are_running_. up_again",
            "has_crashed crashed paused is_paused hangs went_down fell_over",
        ),
        "de": (
            "laeuft_. laeuft_wieder laufend",
            "abgestuerzt pausiert haengt ist_gefallen",
        ),
        "fr": (
            "tourne_. est_en_marche tourne_bien",
            "est_tombe est_tombee plante en_panne_depuis",
        ),
        "es": (
            "en_marcha en_funcionamiento esta_funcionando",
            "caido caida se_cayo colgado pausado",
        ),
        "ru": (
            "работает_. снова_работает",
            "упал упала завис зависла на_паузе",
        ),
    },
    "employed": {
        "en": (
            "employed employee on_the_payroll still_works still_working salaried",
            "retired self_employed freelance freelancer pensioner unemployed jobless",
        ),
        "de": (
            "angestellt angestellte festangestellt arbeitet_noch",
            "selbststaendig selbstaendig freiberuflich rentner rentnerin im_ruhestand pensioniert arbeitslos",
        ),
        "fr": (
            "salarie salariee travaille_encore",
            "independant independante retraite retraitee a_la_retraite chomage",
        ),
        "es": (
            "empleado empleada asalariado asalariada sigue_trabajando",
            "jubilado jubilada autonomo autonoma desempleado en_paro",
        ),
        "ru": (
            "еще_работает работает_по_найму штатный",
            "на_пенсии пенсионер пенсионерка самозанятый безработный",
        ),
    },
    "source": {
        "en": (
            "open_source open_sourced",
            "closed_source proprietary",
        ),
        "de": (
            "quelloffen",
            "proprietaer",
        ),
        "fr": (
            "code_ouvert logiciel_libre",
            "",
        ),
        "es": (
            "codigo_abierto",
            "codigo_cerrado propietario_cerrado",
        ),
        "ru": (
            "открытым_кодом открытый_код",
            "закрытый_код проприетарный",
        ),
    },
    "staffed": {
        "en": (
            "fully_staffed well_staffed",
            "understaffed short_staffed",
        ),
        "de": (
            "voll_besetzt",
            "unterbesetzt",
        ),
    },
    "dried": {
        "en": (
            "full_of_water flooded full_to_the_brim",
            "run_dry dried_up ran_dry",
        ),
        "de": (
            "ueberflutet fuehrt_wasser",
            "ausgetrocknet versiegt",
        ),
        "fr": (
            "inonde inondee",
            "a_sec tarie tari",
        ),
        "es": (
            "inundado inundada",
            "seco seca",
        ),
        "ru": (
            "затоплен затоплена",
            "высох высохла пересох",
        ),
    },
    "sun": {
        "en": (
            "full_sun direct_sunlight in_the_sun",
            "in_the_shade shade shaded",
        ),
        "de": (
            "pralle_sonne volle_sonne in_der_sonne",
            "schatten halbschatten im_schatten",
        ),
        "fr": (
            "plein_soleil au_soleil",
            "a_l_ombre ombre",
        ),
        "es": (
            "pleno_sol al_sol",
            "a_la_sombra sombra",
        ),
        "ru": (
            "на_солнце прямое_солнце",
            "в_тени тени",
        ),
    },
    "server_side": {
        "en": (
            "on_the_server server_side",
            "in_the_browser client_side on_the_client",
        ),
        "de": (
            "auf_dem_server serverseitig",
            "im_browser clientseitig",
        ),
        "fr": (
            "cote_serveur sur_le_serveur",
            "cote_client dans_le_navigateur",
        ),
        "es": (
            "en_el_servidor",
            "en_el_navegador en_el_cliente",
        ),
        "ru": (
            "на_сервере",
            "в_браузере на_клиенте",
        ),
    },
    "partner": {
        "en": (
            "in_a_relationship has_a_partner engaged",
            "is_single single_again lives_alone",
        ),
        "de": (
            "in_einer_beziehung vergeben hat_eine_freundin hat_einen_freund",
            "ist_single single alleinstehend",
        ),
        "fr": (
            "en_couple",
            "celibataire",
        ),
        "es": (
            "tiene_pareja en_pareja",
            "soltero soltera sin_pareja",
        ),
        "ru": (
            "в_отношениях",
            "одинок одинока",
        ),
    },
    "tabs": {
        "en": (
            "tabs with_tabs",
            "spaces with_spaces",
        ),
        "de": (
            "tabs tabulatoren",
            "leerzeichen",
        ),
        "fr": (
            "tabulations",
            "espaces",
        ),
        "es": (
            "tabuladores",
            "espacios",
        ),
        "ru": (
            "табами табуляция",
            "пробелами пробелы",
        ),
    },
    "electric": {
        "en": (
            "electric battery_powered",
            "diesel petrol gasoline petrol_engine",
        ),
        "de": (
            "elektrisch elektroauto akkubetrieben",
            "diesel benzin benziner",
        ),
        "fr": (
            "electrique",
            "diesel essence",
        ),
        "es": (
            "electrico electrica",
            "diesel gasolina",
        ),
        "ru": (
            "электрический электромобиль",
            "дизель дизельный бензин бензиновый",
        ),
    },
    "apprentice": {
        "en": (
            "trainee intern apprentice",
            "head_of manager_of director",
        ),
        "de": (
            "praktikant praktikantin azubi auszubildende",
            "abteilungsleiter abteilungsleiterin",
        ),
        "fr": (
            "stagiaire apprenti apprentie",
            "chef_de_service directeur_de",
        ),
        "es": (
            "becario becaria aprendiz",
            "jefe_de_departamento",
        ),
        "ru": (
            "стажер практикант",
            "начальник_отдела",
        ),
    },
    "house_cat": {
        "en": (
            "goes_outside outdoor_cat roams",
            "indoor_cat house_cat stays_inside",
        ),
        "de": (
            "nach_draussen freigaenger",
            "wohnungskatze hauskatze bleibt_drinnen",
        ),
        "fr": (
            "sort_dehors",
            "chat_d_appartement",
        ),
        "es": (
            "sale_a_la_calle",
            "gato_de_interior",
        ),
    },
    "paid": {
        "en": ("paid_in_full paid_up", "awaiting_payment payment_pending still_owed owing in_arrears"),
        "de": ("bezahlt_ist beglichen", "steht_noch_aus steht_aus noch_zu_zahlen in_verzug"),
        "fr": ("regle_en_totalite soldee", "reste_a_payer en_attente_de_paiement a_regler"),
        "es": ("pagado pagada abonado abonada", "pendiente_de_cobro pendiente_de_pago impagado impagada"),
        "ru": ("оплачен оплачена оплачено", "ждет_оплаты ожидает_оплаты просрочен задолженность"),
    },
    "sent": {
        "en": ("sent_off was_sent sent", "still_a_draft draft unsent"),
        "de": ("abgeschickt verschickt versendet", "entwurf noch_ein_entwurf"),
        "fr": ("envoyee envoye", "brouillon"),
        "es": ("enviada enviado", "borrador"),
        "ru": ("отправлен отправлена", "черновик"),
    },
    "finished": {
        "en": ("finished completed done", "queued not_started scheduled waiting_to_start"),
        "de": ("fertig abgeschlossen erledigt", "in_der_warteschlange eingeplant nicht_begonnen"),
        "fr": ("termine terminee", "en_file_d_attente planifie pas_commence"),
        "es": ("terminado terminada", "en_cola programado sin_empezar"),
        "ru": ("завершен завершена готов", "в_очереди запланирован не_начат"),
    },
}
"""The two sides of what can be one way or the other, by axis and language."""

KEYS: dict[str, dict[str, str]] = {
    "birthplace": {
        "en": "was_born_in born_in place_of_birth birth_place birthplace birth_town birth_city born_at",
        "de": "geboren_in geburtsort geburtsstadt ist_geboren_in gebuertig_aus wurde_in geburtsland",
        "fr": "ne_a nee_a lieu_de_naissance ville_natale ville_de_naissance natif_de native_de naquit_a",
        "es": "nacio_en nacido_en nacida_en lugar_de_nacimiento ciudad_natal ciudad_de_nacimiento natural_de",
        "ru": "родился_в родилась_в место_рождения родной_город уроженец уроженка родом_из",
    },
    "host": {
        "en": "hosting_provider hosted_by host_provider hosting_company hoster runs_at cloud_provider",
        "de": "hoster hosting_anbieter gehostet_bei gehostet cloud_anbieter",
        "fr": "hebergeur heberge_chez hebergee_chez heberge_par hebergement",
        "es": "proveedor_de_alojamiento alojado_en alojada_en proveedor_de_hosting hosting",
        "ru": "хостер хостинг_провайдер хостинг размещен_у",
    },
    "employer": {
        "en": "employer employed_by works_for work_for working_for",
        "de": "firma arbeitgeber arbeitgeberin arbeitet_bei angestellt_bei beschaeftigt_bei",
        "fr": "employeur travaille_chez travaille_pour employe_par salarie_de",
        "es": "empresa empleador empresa_donde_trabaja trabaja_para trabaja_en_la_empresa",
        "ru": "работодатель место_работы работает_на",
    },
    "home": {
        "en": "place_of_residence lives_at residing_in home_address hometown_now home_city city_of_residence",
        "de": "wohnsitz wohnung_in lebt_in zuhause_in wohnadresse",
        "fr": "domicilie domiciliee vit_a reside residence habite_a lieu_de_residence",
        "es": "residencia lugar_de_residencia domiciliado radica ciudad_de_residencia",
        "ru": "место_жительства проживает_в живут_в место_проживания",
    },
    "nationality": {
        "de": "staatsbuergerschaft staatsbuerger",
        "fr": "citoyennete citoyen citoyenne",
        "es": "ciudadania ciudadano ciudadana",
        "ru": "гражданство гражданин гражданка национальность",
    },
    "license": {
        "en": "licence license licensed_under released_under",
        "de": "lizenz lizenziert_unter steht_unter",
        "fr": "licence sous_licence",
        "es": "licencia bajo_licencia",
        "ru": "лицензия лицензии под_лицензией",
    },
    "gender": {
        "de": "geschlecht",
        "fr": "sexe genre",
        "es": "sexo genero",
        "ru": "пол",
    },
    "password": {
        "de": "passwort kennwort",
        "fr": "mot_de_passe",
        "es": "contrasena clave_de_acceso",
        "ru": "пароль",
    },
    "president": {
        "de": "praesident praesidentin",
        "fr": "president presidente",
        "es": "presidente presidenta",
        "ru": "президент председатель",
    },
    "coach": {
        "en": "coach head_coach coached trainer trained_by coached_by",
        "de": "trainer trainerin cheftrainer trainiert_von",
        "fr": "entraineur entraineuse entraine_par",
        "es": "entrenador entrenadora entrenado_por",
        "ru": "тренер тренирует",
    },
    "landlord": {
        "en": "landlord landlady lessor",
        "de": "vermieter vermieterin",
        "fr": "bailleur",
        "es": "arrendador casero arrendadora",
        "ru": "арендодатель",
    },
    "bank": {
        "en": "bank house_bank banks_with",
        "de": "hausbank",
        "fr": "banque",
        "es": "banco",
        "ru": "банк",
    },
    "insurer": {
        "en": "insurer insured_with insurance_company insured_by insurance_provider",
        "de": "versicherung versichert_bei krankenkasse",
        "fr": "assurance assure_chez assuree_chez compagnie_d_assurance",
        "es": "compania_de_seguros asegurado_con asegurada_con",
        "ru": "страховщик страховая_компания застрахован_в",
    },
    "notary": {
        "en": "lawyer solicitor attorney legal_counsel notary",
        "de": "anwalt anwaeltin rechtsanwalt notar notarin",
        "fr": "avocat avocate notaire",
        "es": "abogado abogada notario",
        "ru": "адвокат юрист нотариус",
    },
    "accountant": {
        "en": "accountant tax_adviser tax_advisor bookkeeper",
        "de": "steuerberater steuerberaterin buchhalter buchhalterin",
        "fr": "comptable expert_comptable",
        "es": "contable asesor_fiscal gestor gestora",
        "ru": "бухгалтер",
    },
    "vet": {
        "en": "vet veterinarian",
        "de": "tierarzt tieraerztin",
        "fr": "veterinaire",
        "es": "veterinario veterinaria",
        "ru": "ветеринар",
    },
    "dentist": {
        "en": "dentist",
        "de": "zahnarzt zahnaerztin",
        "fr": "dentiste",
        "es": "dentista",
        "ru": "стоматолог зубной_врач",
    },
    "manufacturer": {
        "en": "manufacturer manufactured_by made_by brand make_of vendor built_by",
        "de": "hersteller marke hergestellt_von",
        "fr": "fabricant marque fabrique_par",
        "es": "fabricante marca fabricado_por",
        "ru": "производитель марка изготовитель",
    },
    "native_language": {
        "en": "native_language mother_tongue first_language native_tongue",
        "de": "muttersprache",
        "fr": "langue_maternelle",
        "es": "lengua_materna idioma_materno",
        "ru": "родной_язык",
    },
    "breed": {
        "en": "breed",
        "de": "rasse hunderasse",
        "fr": "race",
        "es": "raza",
        "ru": "порода",
    },
    "species": {
        "en": "species",
        "de": "tierart pflanzenart",
        "fr": "espece",
        "es": "especie",
        "ru": "вид_животного",
    },
    "religion": {
        "en": "religion faith denomination",
        "de": "religion konfession",
        "fr": "religion confession",
        "es": "religion confesion",
        "ru": "религия вероисповедание",
    },
    "surname": {
        "en": "surname last_name family_name maiden_name",
        "de": "nachname familienname geburtsname",
        "fr": "nom_de_famille nom_de_jeune_fille",
        "es": "apellido",
        "ru": "фамилия",
    },
    "star_sign": {
        "en": "star_sign zodiac_sign zodiac",
        "de": "sternzeichen",
        "fr": "signe_astrologique",
        "es": "signo_del_zodiaco",
        "ru": "знак_зодиака",
    },
    "marital": {
        "en": "marital_status",
        "de": "familienstand",
        "fr": "situation_familiale etat_civil",
        "es": "estado_civil",
        "ru": "семейное_положение",
    },
    "platform": {
        "en": "operating_system os base_image",
        "de": "betriebssystem",
        "fr": "systeme_d_exploitation",
        "es": "sistema_operativo",
        "ru": "операционная_система",
    },
    "package_manager": {
        "en": "package_manager build_tool build_system test_runner test_framework bundler",
        "de": "paketmanager paketverwaltung build_werkzeug",
        "fr": "gestionnaire_de_paquets outil_de_build",
        "es": "gestor_de_paquetes herramienta_de_compilacion",
        "ru": "менеджер_пакетов система_сборки",
    },
    "message_broker": {
        "en": "message_broker broker queue_backend message_queue",
        "de": "nachrichtenbroker",
        "fr": "courtier_de_messages",
        "es": "broker_de_mensajes",
        "ru": "брокер_сообщений",
    },
    "fuel": {
        "en": "fuel fuel_type runs_on_fuel",
        "de": "kraftstoff treibstoff",
        "fr": "carburant",
        "es": "combustible carburante",
        "ru": "топливо",
    },
    "hair": {
        "en": "eye_colour eye_color hair_colour hair_color",
        "de": "augenfarbe haarfarbe",
        "fr": "couleur_des_yeux couleur_des_cheveux",
        "es": "color_de_ojos color_de_pelo",
        "ru": "цвет_глаз цвет_волос",
    },
    "heir": {
        "en": "successor heir next_of_kin emergency_contact guardian",
        "de": "nachfolger nachfolgerin erbe notfallkontakt vormund",
        "fr": "successeur heritier contact_d_urgence tuteur",
        "es": "sucesor heredero contacto_de_emergencia tutor_legal",
        "ru": "преемник наследник опекун",
    },
    "treasurer": {
        "en": "treasurer cashier",
        "de": "kassenwart kassenwartin schatzmeister schatzmeisterin kassier kassiererin",
        "fr": "tresorier tresoriere",
        "es": "tesorero tesorera",
        "ru": "казначей",
    },
    "lead": {
        "en": "chairperson team_leader in_charge run_by led_by headed_by conductor captain captained skipper",
        "de": "vorsitzender vorstand leitet_die geleitet_von kapitaen dirigent dirigentin",
        "fr": "chef_d_equipe cheffe_d_equipe dirige_par dirigee_par capitaine preside presidee_par",
        "es": "jefe_de_equipo dirigido_por dirigida_por encargado encargada capitan presidido",
        "ru": "руководит_группой капитан дирижер заведующий заведующая старший_группы",
    },
    "owner": {
        "en": "belongs_to owned_by property_of code_owner in_the_hands_of responsible responsible_for",
        "de": "gehoert_zu im_besitz eignerin eigner",
        "fr": "detenu_par appartenant possede_par proprietaire_actuel",
        "es": "es_de_la_propiedad encargado_del duenos propiedad_de",
        "ru": "принадлежат собственность отвечает_за ответственные",
    },
    "deadline": {
        "en": "closing_date submission_date last_date_for final_date",
        "de": "einsendeschluss abgabefrist anmeldeschluss fristende",
        "fr": "date_butoir date_de_rendu",
        "es": "ultimo_dia_para fecha_de_entrega",
        "ru": "срок крайний_срок дедлайн срок_сдачи",
    },
    "day": {
        "de": "uhrzeit anfangszeit",
    },
    "food": {
        "en": "dish meal food",
        "de": "gericht speise essen",
        "fr": "plat",
        "es": "plato comida",
        "ru": "блюдо еда",
    },
    "college": {
        "en": "alma_mater university college studied_at degree_from",
        "de": "hochschule universitaet studierte_an",
        "fr": "universite",
        "es": "universidad",
        "ru": "университет вуз",
    },
    "salary": {
        "en": "salary wage pay income earnings",
        "de": "gehalt lohn einkommen",
        "fr": "salaire revenu",
        "es": "sueldo salario",
        "ru": "зарплата оклад доход",
    },
    "speed": {
        "en": "speed velocity top_speed pace",
        "de": "geschwindigkeit tempo",
        "fr": "vitesse",
        "es": "velocidad",
        "ru": "скорость",
    },
    "favourite": {
        "en": "preferred preference",
        "de": """
            bevorzugt bevorzugte bevorzugter lieblingstier lieblingsbuch lieblingsfilm
            lieblingsgericht lieblingsmusik
        """,
        "fr": "prefere preferes",
        "es": "predilecto",
        "ru": "любимый любимая любимое предпочитаемый",
    },
    "written": {
        "en": "implementation_language written_in programmed_in coded_in programming_language",
        "de": "implementierungssprache programmiersprache",
        "fr": "langage_de_programmation langage_d_implementation",
        "es": "lenguaje_de_programacion",
        "ru": "язык_программирования написан_на написана_на",
    },
    "frequency": {
        "en": "frequency schedule interval cadence",
        "de": "haeufigkeit turnus takt",
        "fr": "frequence cadence",
        "es": "frecuencia",
        "ru": "частота периодичность",
    },
    "venue": {
        "en": "takes_place_in held_in held_at",
        "de": "findet_statt_in",
        "fr": "a_lieu_a se_tient_a",
        "es": "tiene_lugar_en se_celebra_en",
        "ru": "проходит_в пройдет_в",
    },
    "recipient": {
        "en": "recipient addressee beneficiary",
        "de": "empfaenger empfaengerin",
        "fr": "destinataire beneficiaire",
        "es": "destinatario destinataria beneficiario",
        "ru": "получатель адресат",
    },
    "sender": {
        "en": "sender",
        "de": "absender absenderin",
        "fr": "expediteur expeditrice",
        "es": "remitente",
        "ru": "отправитель",
    },
    "plan": {
        "en": "subscription_plan pricing_plan tier subscription",
        "de": "tarif abo",
        "fr": "formule abonnement",
        "es": "plan_contratado suscripcion",
        "ru": "тариф подписка",
    },
    "priority": {
        "en": "priority severity",
        "de": "prioritaet schweregrad",
        "fr": "priorite gravite",
        "es": "prioridad gravedad",
        "ru": "приоритет важность",
    },
    "pronouns": {
        "en": "pronouns",
        "de": "pronomen",
        "fr": "pronoms",
        "es": "pronombres",
        "ru": "местоимения",
    },
    "encoding": {
        "en": "encoding charset character_set",
        "de": "kodierung zeichensatz zeichenkodierung",
        "fr": "encodage",
        "es": "codificacion",
        "ru": "кодировка",
    },
    "registrar": {
        "en": "registrar internet_provider isp mobile_provider carrier",
        "de": "registrar internetanbieter mobilfunkanbieter netzbetreiber",
        "fr": "fournisseur_d_acces operateur bureau_d_enregistrement",
        "es": "proveedor_de_internet operadora registrador",
        "ru": "регистратор провайдер оператор_связи",
    },
    "school": {
        "en": "primary_school school",
        "de": "grundschule schule",
        "fr": "ecole college_de lycee",
        "es": "colegio escuela instituto",
        "ru": "школа",
    },
    "publisher": {
        "en": "publisher published_by",
        "de": "verlag",
        "fr": "editeur maison_d_edition",
        "es": "editorial",
        "ru": "издательство",
    },
}
"""What keys ask for, by concept and language."""

LABELS: dict[str, str] = {
    "en": """
        joint ward lane terminal apartment flat studio lab office_no chamber compartment aisle locker
        court cabin hive
    """,
    "de": "gelenk zimmer raum station spur terminal wohnung labor kammer spind regal beet stall kabine abteil stock",
    "fr": "articulation voie terminal appartement studio labo casier rayon cabine ruche piece",
    "es": "articulacion habitacion carril terminal piso apartamento aula laboratorio taquilla cabina despacho colmena",
    "ru": """
        кабинет кабинете комната комнате палата палате квартира квартире аудитория аудитории секция улей
        корпусе цех цехе
    """,
}
"""What is told from another of its kind by a number."""

KINDS: dict[str, dict[str, str]] = {
    "setting": {
        "production": """
            production prod produktion produktivsystem produccion продакшн продакшен рабочей_среде
            боевой боевом бою
        """,
        "staging": "staging preprod recette preproduccion стейджинг стейджинге предпрод",
        "test": "testing test testsystem testumgebung pruebas тестовый тестовой тестовом тестовая",
        "development": """
            development dev entwicklung entwicklungsumgebung developpement desarrollo разработке
            разработки
        """,
    },
    "room": {
        "kitchen": "kitchen kueche kuechenfenster cuisine cocina кухня кухне кухни кухню",
        "bathroom": "bathroom badezimmer badfenster badtuer bains bain badfenster bano ванная ванной ванную",
        "bedroom": "bedroom schlafzimmer dormitorio alcoba спальня спальне спальни спальню",
        "living": "living lounge wohnzimmer salon sejour гостиная гостиной гостиную",
        "dining": "dining esszimmer comedor столовая столовой",
        "hall": "hallway hall corridor flur diele couloir pasillo recibidor прихожая прихожей коридор коридоре",
        "attic": "attic loft dachboden grenier combles desvan atico чердак чердаке мансарда мансарде",
        "cellar": "cellar basement keller cave sotano подвал подвале погреб погребе",
        "garage": "garage garaje гараж гараже",
        "garden": "garden garten jardin сад саду огород огороде",
        "balcony": "balcony balkon balcon балкон балконе",
        "terrace": "terrace patio terrasse terraza терраса террасе",
        "study": "arbeitszimmer despacho",
        "nursery": "nursery kinderzimmer детская детской",
        "veranda": "veranda conservatory wintergarten веранда веранде",
        "stable": "barn stall scheune etable grange establo granero хлев сарай сарае конюшня",
        "workshop": "workshop werkstatt atelier taller мастерская мастерской",
        "laundry": "laundry waschkueche buanderie lavadero прачечная",
        "pantry": "pantry larder speisekammer despensa кладовка кладовой",
        "roof": "roof dach toit tejado крыша крыше",
    },
    "storey": {
        "ground": "ground erdgeschoss rez baja",
        "first": "first erste ersten premier premiere primera primer первом первый",
        "second": "second zweite zweiten deuxieme segunda segundo втором второй",
        "third": "third dritte dritten troisieme tercera tercer третьем третий",
        "top": "top oberste obersten dernier ultima последнем",
    },
    "relative": {
        "son": "son sons sohn fils hijo сын сына сыну",
        "daughter": "daughter tochter fille hija дочь дочери дочка",
        "brother": "brother bruder frere hermano брат брата",
        "sister": "sister schwester soeur hermana сестра сестры",
        "mother": "mother mum mom mutter mere madre мать матери мама мамы",
        "father": "father dad vater pere padre отец отца папа папы",
        "grandmother": "grandmother granny grandma oma grossmutter abuela бабушка бабушки",
        "grandfather": "grandfather grandpa opa grossvater abuelo дедушка дед дедушки",
        "uncle": "uncle onkel oncle tio дядя дяди",
        "aunt": "aunt tante tia тетя тети",
        "cousin": "cousin vetter кузен",
        "wife": "wife ehefrau epouse esposa жена жены",
        "husband": "husband ehemann mari marido муж мужа",
        "neighbour": "neighbour neighbor nachbar voisin vecino сосед соседка",
    },
    "beast": {
        "cow": "cow cows kuh kuehe vache vaches vaca vacas корова коровы",
        "sheep": "sheep ewe ewes schaf schafe brebis mouton moutons oveja ovejas овца овцы",
        "goat": "goat goats ziege ziegen chevre chevres cabra cabras коза козы",
        "horse": "horse horses mare pferd pferde stute cheval chevaux jument caballo caballos yegua лошадь лошади",
        "pig": "pig pigs sow schwein schweine cochon porc cerdo cerdos свинья свиньи",
        "hen": "hen hens chicken chickens huhn huehner poule poules gallina gallinas курица куры",
        "dog": "dog dogs hund hunde chien chiens perro perros perra собака собаки пес",
        "cat": "cat cats katze katzen kater chatte gato gatos gata кошка кошки кот",
        "rabbit": "rabbit rabbits kaninchen lapin lapins conejo conejos кролик кролики",
    },
    "fitting": {
        "door": "door doors tuer tueren porte puerta puertas дверь двери",
        "window": "window fenster fenetre fenetres ventana ventanas окно окна",
        "gate": "gate tor tore portail portails verja porton ворота калитка",
        "lift": "lift elevator aufzug fahrstuhl ascenseur ascensor лифт",
        "stairs": "stairs staircase treppe escalier escalera лестница",
        "boiler": "boiler heizkessel chaudiere caldera котел бойлер",
        "oven": "oven backofen horno духовка",
        "fridge": "fridge refrigerator kuehlschrank refrigerateur frigo nevera frigorifico холодильник",
        "freezer": "freezer gefrierschrank tiefkuehler congelateur congelador морозилка морозильник",
    },
    "client": {
        "ios": "ios iphone iphones ipad",
        "android": "android",
        "windows": "windows",
        "linux": "linux ubuntu debian",
        "mac": "macos macbook",
    },
}
"""What is beside another of its kind: a room, a relative, an environment. In whatever language, by kind and name."""

REGIONS = frozenset(
    """
        scotland schottland ecosse wales
        england angleterre inglaterra germany deutschland allemagne alemania france frankreich francia spain spanien
        espagne espana italy italien italie italia russia russland russie rusia austria oesterreich autriche switzerland
        schweiz suisse suiza portugal ireland irland irlande irlanda uk usa bavaria bayern baviere saxony sachsen
        bretagne brittany normandie normandy provence galicia cataluna catalonia andalucia andalusia asturias aragon
        canada kanada mexico japan japon china chine india indien inde poland polen pologne polonia netherlands
        niederlande california kalifornien texas scandinavia skandinavien sweden schweden suede suecia norway norwegen
        norvege noruega denmark daenemark danemark finland finnland finlande siberia sibirien
        россия россии германия германии франция франции испания испании италия италии сибирь сибири
        урал урале кавказ кавказе крым крыму подмосковье подмосковья украина польша польше казахстан казахстане
    """.split()  # noqa: SIM905 - lists of words read better as text
)
"""Countries and parts of the world: who lives in one may well live in a town of it."""

CONTINENTS = frozenset(
    "europe europa eu ue asia asie africa afrika afrique america amerika amerique европа европе ес азия азии".split()  # noqa: SIM905
)
"""What holds many countries."""
