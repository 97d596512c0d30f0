"""Italian, Portuguese, Dutch and Polish: enough words to tell them apart, their numbers, months and negations.

Nothing is read from them that needs to know what a sentence says: no antonyms, no slots.
"""

# ruff: noqa: SIM905 - lists of words read better as text

from cruxstore.trust.contradiction.words.language import Cue, Language

ITALIAN = Language(
    name="it",
    decimal_mark=",",
    cues={
        Cue.STOP: """
            il lo la i gli le un uno una di del della dei delle degli dello dell a al alla ai alle da dal
            dalla in nel nella nei con su sul sulla per tra fra e ed o che chi cui si e_ sono era ha hanno
            suo sua suoi loro questo questa quello come quando dove anche ancora sempre ogni piu molto tutti
            tutte gia ci vi l d c nell all sull ora oggi
        """,
        Cue.LIGHT: """
            viene vengono usa fa va tiene resta offre esiste disponibile funziona lavora vive costa pesa
            dura prende mangia beve
        """,
        Cue.NEGATION: "non nessuno nessuna nessun mai niente nulla senza ne mica",
        Cue.BREAK: "ma perche pero quindi anche_se tranne",
        Cue.EXCLUSIVE: "solo soltanto unico unica esclusivamente",
        Cue.PAST: "prima una_volta precedentemente ex",
        Cue.HEDGE: "forse probabilmente potrebbe",
        Cue.AT_LEAST: "almeno minimo",
        Cue.AT_MOST: "al_massimo massimo fino_a entro non_oltre",
        Cue.MORE_THAN: "piu_di oltre",
        Cue.LESS_THAN: "meno_di",
        Cue.ABOUT: "circa quasi",
        Cue.TO: "a al e fino",
        Cue.AND: "e",
        Cue.EVERY: "ogni",
    },
    numbers={
        word: at
        for at, word in enumerate(
            """
                zero - due tre quattro cinque sei sette otto nove dieci undici dodici tredici
                quattordici quindici sedici diciassette diciotto diciannove venti
            """.split()
        )
        if at != 1
    }
    | {
        word: 30 + 10 * at
        for at, word in enumerate("trenta quaranta cinquanta sessanta settanta ottanta novanta".split())
    }
    | {"dozzina": 12},
    fractions={"mezzo": 0.5, "mezza": 0.5},
    scales={"cento": 100, "mille": 1000, "mila": 1000, "milione": 10**6, "milioni": 10**6, "miliardi": 10**9},
    ordinals=("primo prima_", "secondo", "terzo", "quarto", "quinto"),
    months=(
        "gennaio",
        "febbraio",
        "marzo",
        "aprile",
        "maggio",
        "giugno",
        "luglio",
        "agosto",
        "settembre",
        "ottobre",
        "novembre",
        "dicembre",
    ),
    seasons=("primavera", "estate", "autunno", "inverno"),
    weekdays=("lunedi", "martedi", "mercoledi", "giovedi", "venerdi", "sabato", "domenica"),
    day_parts={"mezzogiorno": "12:00", "mezzanotte": "00:00"},
    units={
        "s": "secondi",
        "min": "minuti minuto",
        "h": "ore ora",
        "d": "giorni giorno",
        "wk": "settimane settimana",
        "mo": "mesi mese",
        "yr": "anni anno",
        "m": "metri metro",
        "km": "chilometri chilometro",
        "kg": "chili chilo",
        "l": "litri litro",
        "eur": "euro",
        "%": "per_cento",
        "t": "tonnellate",
        "°": "gradi",
        "g": "grammi",
    },
    axes={
        "open": ("aperto aperta aperti aperte", "chiuso chiusa chiusi chiuse"),
        "on": ("acceso accesa attivo attiva", "spento spenta disattivato disattivata"),
    },
    concepts={
        "owner": "proprietario proprietaria responsabile",
        "birthday": "compleanno",
        "capital": "capitale",
        "limit": "massimo massima capacita limite",
        "length": "lunghezza distanza",
        "price": "prezzo costo",
        "start": "inizio",
        "end": "fine scadenza",
        "day": "data giorno",
    },
)

PORTUGUESE = Language(
    name="pt",
    decimal_mark=",",
    cues={
        Cue.STOP: """
            o a os as um uma uns umas de do da dos das em no na nos nas por para com e ou que se ao aos pelo
            pela seu sua seus suas este esta isso como quando onde ja ainda sempre tambem muito mais sao
            esta_ foi era tem sob entre desde ha eles ela ele agora hoje cada todos todas
        """,
        Cue.LIGHT: "usa faz vai fica oferece existe disponivel funciona trabalha mora custa pesa dura leva come bebe",
        Cue.NEGATION: "nao nunca jamais nenhum nenhuma ninguem nada sem nem",
        Cue.BREAK: "mas porque porem embora exceto",
        Cue.EXCLUSIVE: "so somente apenas unico unica exclusivamente",
        Cue.PAST: "antes antigamente anteriormente ex",
        Cue.HEDGE: "talvez provavelmente poderia",
        Cue.AT_LEAST: "pelo_menos no_minimo minimo",
        Cue.AT_MOST: "no_maximo ate maximo",
        Cue.MORE_THAN: "mais_de acima_de",
        Cue.LESS_THAN: "menos_de abaixo_de",
        Cue.ABOUT: "cerca_de quase aproximadamente",
        Cue.TO: "a ate e",
        Cue.AND: "e",
        Cue.EVERY: "cada todos_os todas_as",
    },
    numbers={
        word: at
        for at, word in enumerate(
            """
                zero - dois tres quatro cinco seis sete oito nove dez onze doze treze catorze quinze
                dezesseis dezessete dezoito dezenove vinte
            """.split()
        )
        if at != 1
    }
    | {
        word: 30 + 10 * at
        for at, word in enumerate("trinta quarenta cinquenta sessenta setenta oitenta noventa".split())
    }
    | {"duas": 2, "duzia": 12},
    fractions={"meio": 0.5, "meia": 0.5},
    scales={"cem": 100, "cento": 100, "mil": 1000, "milhao": 10**6, "milhoes": 10**6},
    ordinals=("primeiro primeira", "segundo segunda_", "terceiro terceira", "quarto", "quinto"),
    months=(
        "janeiro",
        "fevereiro",
        "marco",
        "abril",
        "maio",
        "junho",
        "julho",
        "agosto",
        "setembro",
        "outubro",
        "novembro",
        "dezembro",
    ),
    seasons=("primavera", "verao", "outono", "inverno"),
    weekdays=(
        "segunda segunda_feira",
        "terca terca_feira",
        "quarta quarta_feira",
        "quinta quinta_feira",
        "sexta sexta_feira",
        "sabado sabados",
        "domingo domingos",
    ),
    day_parts={"meio_dia": "12:00", "meia_noite": "00:00"},
    units={
        "s": "segundos",
        "min": "minutos minuto",
        "h": "horas hora",
        "d": "dias dia",
        "wk": "semanas semana",
        "mo": "meses mes",
        "yr": "anos ano",
        "m": "metros metro",
        "km": "quilometros quilometro",
        "kg": "quilos quilo",
        "l": "litros litro",
        "eur": "euros euro",
        "%": "por_cento",
        "t": "toneladas",
        "°": "graus",
        "g": "gramas",
    },
    axes={
        "open": ("aberto aberta abertos abertas", "fechado fechada fechados fechadas"),
        "on": ("ligado ligada ativo ativa ativado", "desligado desligada inativo desativado desativada"),
    },
    concepts={
        "owner": "proprietario dono dona responsavel",
        "birthday": "aniversario",
        "capital": "capital",
        "limit": "maximo maxima capacidade limite",
        "length": "comprimento distancia",
        "price": "preco custo",
        "start": "inicio",
        "end": "fim termino",
        "day": "data dia",
    },
)

DUTCH = Language(
    name="nl",
    decimal_mark=",",
    cues={
        Cue.STOP: """
            de het een van in op aan bij met voor door naar uit om over en of dat die dit deze er is zijn
            was waren wordt worden werd heeft hebben had zal zullen kan kunnen moet moeten mag hij zij ze
            wij we ik u hun haar zijn_ als dan nog al ook altijd nu daar hier zo te tot sinds per elk elke
            alle meer wel vandaag tussen
        """,
        Cue.LIGHT: """
            gebruikt draait maakt gaat komt blijft biedt werkt woont kost weegt duurt staat ligt zit krijgt
            neemt beschikbaar eet drinkt
        """,
        Cue.NEGATION: "niet geen nooit niemand niets nergens zonder noch nauwelijks",
        Cue.BREAK: "maar omdat want hoewel behalve",
        Cue.EXCLUSIVE: "alleen enige uitsluitend enkel",
        Cue.PAST: "vroeger voorheen eerder voormalig",
        Cue.HEDGE: "misschien waarschijnlijk mogelijk zou",
        Cue.AT_LEAST: "minstens minimaal ten_minste",
        Cue.AT_MOST: "hoogstens maximaal ten_hoogste binnen",
        Cue.MORE_THAN: "meer_dan boven",
        Cue.LESS_THAN: "minder_dan onder",
        Cue.ABOUT: "ongeveer circa bijna",
        Cue.TO: "tot en_met en",
        Cue.AND: "en",
        Cue.EVERY: "elke elk iedere ieder",
    },
    numbers={
        word: at
        for at, word in enumerate(
            """
                nul - twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien
                vijftien zestien zeventien achttien negentien twintig
            """.split()
        )
        if at != 1
    }
    | {word: 30 + 10 * at for at, word in enumerate("dertig veertig vijftig zestig zeventig tachtig negentig".split())}
    | {"dozijn": 12},
    fractions={"half": 0.5, "halve": 0.5, "anderhalf": 1.5, "anderhalve": 1.5},
    scales={"honderd": 100, "duizend": 1000, "miljoen": 10**6, "miljard": 10**9},
    ordinals=("eerste", "tweede", "derde", "vierde", "vijfde"),
    months=(
        "januari",
        "februari",
        "maart",
        "april",
        "mei",
        "juni",
        "juli",
        "augustus",
        "september",
        "oktober",
        "november",
        "december",
    ),
    seasons=("lente voorjaar", "zomer", "herfst najaar", "winter"),
    weekdays=("maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag"),
    day_parts={"middernacht": "00:00"},
    units={
        "s": "seconden seconde",
        "min": "minuten minuut",
        "h": "uur uren",
        "d": "dagen dag",
        "wk": "weken week",
        "mo": "maanden maand",
        "yr": "jaar jaren",
        "m": "meter",
        "km": "kilometer",
        "kg": "kilo",
        "l": "liter",
        "eur": "euro",
        "%": "procent",
        "t": "ton",
        "°": "graden",
        "g": "gram",
    },
    axes={
        "open": ("open geopend", "gesloten dicht"),
        "on": ("ingeschakeld aangezet", "uitgeschakeld uitgezet"),
    },
    concepts={
        "owner": "eigenaar",
        "birthday": "verjaardag",
        "capital": "hoofdstad",
        "limit": "maximum capaciteit limiet",
        "length": "lengte afstand",
        "price": "prijs kosten",
        "start": "begin start",
        "end": "einde",
        "day": "datum dag",
    },
)

POLISH = Language(
    name="pl",
    decimal_mark=",",
    cues={
        Cue.STOP: """
            i w we z ze na do od o po za dla przy pod nad u a oraz lub albo ze_ ktory ktora ktore to ten ta
            te tego tej jest sa byl byla bylo byly bedzie beda jego jej ich nim sie jak gdy kiedy gdzie juz
            jeszcze zawsze tez takze tylko_co bardzo teraz dzisiaj tam tu przez przed miedzy jako wszystkie
            kazdy co
        """,
        Cue.LIGHT: """
            ma maja miec uzywa robi idzie bierze daje stoi lezy dziala pracuje mieszka kosztuje wazy trwa
            dostaje ma_byc dostepny dostepna je pije
        """,
        Cue.NEGATION: "nie nigdy nikt nikogo nic nigdzie bez zaden zadna zadnego zadnych ani brak",
        Cue.BREAK: "ale bo poniewaz jednak chociaz oprocz",
        Cue.EXCLUSIVE: "tylko jedynie wylacznie jedyny jedyna",
        Cue.PAST: "dawniej kiedys wczesniej byly_ dawny",
        Cue.HEDGE: "moze prawdopodobnie chyba",
        Cue.AT_LEAST: "co_najmniej minimum przynajmniej",
        Cue.AT_MOST: "najwyzej co_najwyzej maksymalnie do",
        Cue.MORE_THAN: "ponad wiecej_niz powyzej",
        Cue.LESS_THAN: "mniej_niz ponizej",
        Cue.ABOUT: "okolo prawie",
        Cue.TO: "do i",
        Cue.AND: "i",
        Cue.EVERY: "kazdy kazda kazde co",
    },
    numbers={
        word: at
        for at, word in enumerate(
            """
                zero jeden dwa trzy cztery piec szesc siedem osiem dziewiec dziesiec jedenascie
                dwanascie trzynascie czternascie pietnascie szesnascie siedemnascie osiemnascie
                dziewietnascie dwadziescia
            """.split()
        )
    }
    | {
        word: 30 + 10 * at
        for at, word in enumerate(
            "trzydziesci czterdziesci piecdziesiat szescdziesiat siedemdziesiat osiemdziesiat dziewiecdziesiat".split()
        )
    }
    | {"dwie": 2, "dwoch": 2, "trzech": 3, "tuzin": 12},
    fractions={"pol": 0.5, "poltora": 1.5, "poltorej": 1.5},
    scales={
        "sto": 100,
        "tysiac": 1000,
        "tysiace": 1000,
        "tysiecy": 1000,
        "tys": 1000,
        "milion": 10**6,
        "miliony": 10**6,
        "milionow": 10**6,
        "mln": 10**6,
    },
    ordinals=("pierwszy pierwsza", "drugi druga", "trzeci trzecia", "czwarty", "piaty"),
    months=(
        "styczen stycznia styczniu",
        "luty lutego lutym",
        "marzec marca marcu",
        "kwiecien kwietnia kwietniu",
        "maj maja maju",
        "czerwiec czerwca czerwcu",
        "lipiec lipca lipcu",
        "sierpien sierpnia sierpniu",
        "wrzesien wrzesnia wrzesniu",
        "pazdziernik pazdziernika pazdzierniku",
        "listopad listopada listopadzie",
        "grudzien grudnia grudniu",
    ),
    seasons=("wiosna wiosne", "lato latem", "jesien jesienia", "zima zime"),
    weekdays=(
        "poniedzialek poniedzialki",
        "wtorek wtorki",
        "sroda srody srode",
        "czwartek czwartki",
        "piatek piatki",
        "sobota soboty sobote",
        "niedziela niedziele",
    ),
    day_parts={"poludnie": "12:00", "polnoc": "00:00"},
    units={
        "s": "sekund sekundy",
        "min": "minut minuty minuta",
        "h": "godzin godziny godzina",
        "d": "dni dzien",
        "wk": "tygodni tygodnie tydzien",
        "mo": "miesiecy miesiac miesiace",
        "yr": "lat lata rok roku",
        "m": "metrow metry",
        "km": "kilometrow kilometry",
        "kg": "kilogramow kilo",
        "l": "litrow litry litr",
        "%": "procent",
        "t": "ton tony",
        "°": "stopni",
        "pln": "zl zloty zlotych",
        "g": "gramow",
    },
    axes={
        "open": ("otwarty otwarta otwarte", "zamkniety zamknieta zamkniete"),
        "on": ("wlaczony wlaczona", "wylaczony wylaczona"),
    },
    concepts={
        "owner": "wlasciciel wlascicielka",
        "birthday": "urodziny",
        "capital": "stolica",
        "limit": "maksimum pojemnosc limit",
        "length": "dlugosc odleglosc",
        "price": "cena koszt",
        "start": "poczatek start",
        "end": "koniec",
        "day": "data dzien",
    },
)
