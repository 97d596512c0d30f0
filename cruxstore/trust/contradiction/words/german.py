"""German."""

# ruff: noqa: SIM905 - lists of words read better as text

from cruxstore.trust.contradiction.words.language import Cue, Language

_ONES = "null ein zwei drei vier fuenf sechs sieben acht neun".split()
_TEENS = "zehn elf zwoelf dreizehn vierzehn fuenfzehn sechzehn siebzehn achtzehn neunzehn".split()
_TENS = "zwanzig dreissig vierzig fuenfzig sechzig siebzig achtzig neunzig".split()
_NUMBERS = (
    {word: at for at, word in enumerate(_ONES) if at != 1}
    | {word: 10 + at for at, word in enumerate(_TEENS)}
    | {word: 20 + 10 * at for at, word in enumerate(_TENS)}
    | {one + "und" + ten: 20 + 10 * at + by for at, ten in enumerate(_TENS) for by, one in enumerate(_ONES) if by}
    | {one + "hundert": 100 * by for by, one in enumerate(_ONES) if by}
    | {one + "tausend": 1000 * by for by, one in enumerate(_ONES) if by}
    | {
        "eins": 1,
        "zwo": 2,
        "dutzend": 12,
        "beide": 2,
        "beiden": 2,
        "zweimal": 2,
        "dreimal": 3,
        "viermal": 4,
        "fuenfmal": 5,
        "einmal": 1,
    }
)

GERMAN = Language(
    name="de",
    decimal_mark=",",
    cues={
        Cue.STOP: """
            minus der die das den dem des ein eine einen einem einer eines dieser diese dieses diesem diesen
            jener jene in im an am auf aus bei beim mit nach von vom zu zum zur fuer um ueber durch gegen
            waehrend wegen als wie und oder auch so dann da dort hier es er sie ihr ihm ihn ihre ihren ihrem
            ihrer sein seine seinen seinem seiner wir uns unser unsere ich mich mir mein meine man sich ist
            sind war waren sei wird werden wurde wurden worden darf duerfen kann koennen muss muessen soll
            sollen will wollen mag moechte moechten noch schon bereits nun jetzt derzeit aktuell heute immer
            meist meistens ueblicherweise normalerweise nur_noch sehr sogar etwa_so ab je alle alles jeweils
            der_die bzw sowie etc pro_forma herr frau ja doch mal sonst dabei davon dazu darauf daran damit
            wenn ob dass was wer wo wen wem welche welcher welches nicht_nur ab_und_zu weiterhin
            nach_wie_vor gerade eben ganz ziemlich insgesamt zwischen bis ins selbst eigentlich regelmaessig
            seinem unserem unseren denen deren dessen diesmal einige etwas mehr
        """,
        Cue.LIGHT: """
            hat haben hatte hatten habe bekommt bekommen bekam erhaelt erhalten nutzt nutzen benutzt
            verwendet verwenden braucht brauchen benoetigt laeuft laufen lief macht machen geht gehen ging
            kommt kommen kam bleibt bleiben blieb haelt halten hielt gibt geben gab steht stehen stand liegt
            liegen lag sitzt sitzen enthaelt enthalten umfasst bietet bieten heisst heissen nennt genannt
            betraegt liegt_bei kostet wiegt dauert findet finden statt stattfinden zaehlt zaehlen gezaehlt
            fuehrt fuehren stellt stellen setzt setzen eingesetzt gebrauch in_gebrauch in_betrieb wohnt lebt
            leben arbeitet arbeiten nimmt nehmen genommen vorhanden verfuegbar verfuegt besitzt gehoert
            genau lang lange anzahl zahl menge anlage moeglich angeboten unterstuetzt passen passt tut tun
            will_haben wuenscht gesamt lautet zeigt fasst belaeuft gemessen rund_um laesst lassen stueck
            insgesamt isst trinkt
        """,
        Cue.NEGATION: """
            nicht kein keine keinen keinem keiner keines nie niemals niemand niemandem niemanden nichts
            nirgends nirgendwo weder ohne kaum nicht_mehr keineswegs keinesfalls nicht_laenger fehlt fehlen
            noch_nicht unmoeglich mitnichten keinerlei so_gut_wie_nie so_gut_wie_nichts
        """,
        Cue.BREAK: """
            aber sondern weil denn obwohl jedoch allerdings waehrenddessen ausser deshalb damit_dass
            trotzdem auch_wenn so_dass sodass nachdem bevor
        """,
        Cue.EXCLUSIVE: """
            nur ausschliesslich allein alleinige alleiniger alleinigen einzig einzige einziger einziges
            einzigen sonst_niemand sonst_nichts nichts_anderes niemand_sonst kein_anderer keine_andere
            und_sonst_niemand lediglich exklusiv niemand_anderes
        """,
        Cue.PAST: """
            frueher ehemals ehemalig ehemalige ehemaliger einst damals zuvor vormals urspruenglich anfangs
            vorher bisher_noch
        """,
        Cue.HEDGE: """
            vielleicht moeglicherweise wahrscheinlich vermutlich eventuell koennte koennten duerfte evtl
            angeblich geplant_ist voraussichtlich ueberlegt erwaegt wohl
        """,
        Cue.AT_LEAST: "mindestens min wenigstens minimal nicht_weniger_als nicht_unter zumindest minimum ab_mindestens",
        Cue.AT_MOST: """
            hoechstens max maximal maximum bis_zu nicht_mehr_als nicht_ueber innerhalb binnen spaetestens
            laengstens nicht_laenger_als hoechstens_bis begrenzt_auf limitiert_auf innerhalb_von
            nie_mehr_als nie_ueber
        """,
        Cue.MORE_THAN: "mehr_als ueber laenger_als groesser_als oberhalb_von oberhalb",
        Cue.LESS_THAN: "weniger_als unter kuerzer_als kleiner_als unterhalb_von unterhalb",
        Cue.ABOUT: "etwa ca circa zirka rund ungefaehr knapp gut fast annaehernd um_die nahezu",
        Cue.OR_MORE: "oder_mehr oder_laenger und_mehr aufwaerts",
        Cue.OR_LESS: "oder_weniger",
        Cue.BETWEEN: "zwischen von vom",
        Cue.TO: "bis und bis_zum bis_zur",
        Cue.AND: "und",
        Cue.EVERY: "jeden jede jedes jeder alle",
        Cue.PER: "pro je in_der im am",
        Cue.START: "seit ab",
        Cue.END: "bis endet laeuft_bis befristet_bis",
        Cue.END_OF: "ende anfang_ende spaet",
        Cue.START_OF: "anfang beginn",
        Cue.MIDDLE_OF: "mitte",
        Cue.THAN: "als",
        Cue.LABEL: """
            version release serie raum zimmer sensor stockwerk etage phase schritt linie tor gleis nr nummer
            kapitel stufe gebaeude halle charge ticket gruppe rechnung auftrag modul platz regal_nr zone
            filiale haus bestellung tank pumpe kanal woche tag knoten server
        """,
    },
    numbers=_NUMBERS,
    fractions={
        "halb": 0.5,
        "halbe": 0.5,
        "halben": 0.5,
        "halber": 0.5,
        "halbes": 0.5,
        "anderthalb": 1.5,
        "eineinhalb": 1.5,
        "zweieinhalb": 2.5,
        "dreieinhalb": 3.5,
        "dreiviertel": 0.75,
        "viertel": 0.25,
        "viereinhalb": 4.5,
        "haelfte": 0.5,
    },
    scales={
        "hundert": 100,
        "tausend": 1000,
        "tsd": 1000,
        "million": 10**6,
        "millionen": 10**6,
        "mio": 10**6,
        "milliarde": 10**9,
        "milliarden": 10**9,
        "mrd": 10**9,
    },
    ordinals=(
        "erste erster erstes ersten erstem",
        "zweite zweiter zweites zweiten zweitem",
        "dritte dritter drittes dritten",
        "vierte vierter viertes vierten",
        "fuenfte fuenfter fuenften",
        "sechste sechster sechsten",
        "siebte siebter siebten",
        "achte achter achten_platz",
        "neunte neunter neunten",
        "zehnte zehnter zehnten",
        "elfte elfter elften",
        "zwoelfte zwoelfter zwoelften",
    ),
    last="letzte letzter letztes letzten",
    months=(
        "januar jan jaenner",
        "februar feb",
        "maerz mrz",
        "april apr",
        "mai",
        "juni jun",
        "juli jul",
        "august aug",
        "september sept sep",
        "oktober okt",
        "november nov",
        "dezember dez",
    ),
    seasons=("fruehling fruehjahr", "sommer", "herbst", "winter"),
    weekdays=(
        "montag montags mo_fr",
        "dienstag dienstags",
        "mittwoch mittwochs",
        "donnerstag donnerstags",
        "freitag freitags",
        "samstag samstags sonnabend sonnabends",
        "sonntag sonntags",
        "werktags werktag wochentags",
        "wochenende wochenends",
    ),
    day_parts={"mittag": "12:00", "mittags": "12:00", "mitternacht": "00:00"},
    units={
        "every d": "jede_nacht allabendlich taeglich taegliche taeglicher",
        "every wk": "woechentlich woechentliche woechentlicher",
        "every mo": "monatlich monatliche monatlicher",
        "every h": "stuendlich",
        "every yr": "jaehrlich",
        "s": "sekunde sekunden sek",
        "ms": "millisekunde millisekunden",
        "min": "minute minuten",
        "h": "stunde stunden std",
        "d": "tag tage tagen tages",
        "wk": "woche wochen",
        "mo": "monat monate monaten monats",
        "yr": "jahr jahre jahren",
        "m": "meter metern",
        "km": "kilometer kilometern",
        "cm": "zentimeter zentimetern",
        "mm": "millimeter millimetern",
        "g": "gramm",
        "kg": "kilogramm kilo",
        "t": "tonne tonnen",
        "l": "liter litern",
        "ml": "milliliter",
        "m2": "quadratmeter quadratmetern qm",
        "m3": "kubikmeter kubikmetern",
        "ha": "hektar",
        "%": "prozent",
        "eur": "euro euros",
        "usd": "dollar",
        "gbp": "pfund",
        "rub": "rubel",
        "chf": "franken",
        "b": "byte bytes",
        "kb": "kilobyte",
        "mb": "megabyte",
        "gb": "gigabyte",
        "tb": "terabyte",
        "°c": "grad_celsius celsius",
        "°f": "grad_fahrenheit",
        "°": "grad",
        "kw": "kilowatt",
        "w": "watt",
        "v": "volt",
        "a_": "ampere",
        "bar": "bar",
        "kmh": "stundenkilometer",
        "kwh": "kilowattstunde kilowattstunden",
        "cent": "cent cents",
        "mi": "meile meilen",
        "kcal": "kalorien kilokalorien",
    },
    axes={
        "plenty": (" reichlich genuegend ausreichend", "aufgebraucht alle_geworden knapp mangel"),
        "returned": ("zurueckgegeben zurueck", "ausgeliehen verliehen"),
        "published": ("veroeffentlicht", "entwurf unveroeffentlicht"),
        "colour": ("farbig in_farbe bunt", "schwarzweiss"),
        "automatic": ("automatisch von_selbst selbsttaetig", "von_hand haendisch manuell"),
        "open": (
            "befahrbar offen geoeffnet auf_haben oeffnet aufgesperrt",
            "dicht gesperrt geschlossen zu_haben schliesst zugesperrt gesperrt zu",
        ),
        "resolved": ("geloest behoben erledigt", "ungeloest offen ausstehend"),
        "done": (
            "fertig abgeschlossen beendet vollstaendig vollendet",
            "in_arbeit im_gange unfertig unvollstaendig laufend unerledigt",
        ),
        "on": (
            """
                in_benutzung genutzt aktiviert eingeschaltet angeschaltet aktiv an_ist in_betrieb
                eingeschalten ein online laeuft_wieder
            """,
            """
                steht_still stillgestanden abgestuerzt ausser_gebrauch deaktiviert ausgeschaltet
                abgeschaltet inaktiv aus_ist ausser_betrieb offline abgestellt stillgelegt aus
            """,
        ),
        "accept": (
            """
                gewaehrt erteilt bewilligt willkommen akzeptiert akzeptieren angenommen annimmt nimmt_an
                genehmigt bewilligt stimmt_zu zugestimmt zugesagt nimmt_zurueck
            """,
            """
                verwehrt abgewiesen unerwuenscht abgelehnt lehnt ablehnen verweigert verweigern weigert
                zurueckgewiesen abgesagt
            """,
        ),
        "allow": (
            "erlaubt erlauben gestattet zulaessig zugelassen erlaubnis freigegeben",
            "verboten verbietet untersagt unzulaessig verbot",
        ),
        "include": (
            "mit_dabei abgedeckt enthalten inklusive inbegriffen mitgeliefert",
            "ausgenommen exklusive ausgeschlossen",
        ),
        "rise": (
            """
                aufgestockt gestiegen steigt stiegen steigen stieg zugenommen gewachsen waechst wuchs
                erhoeht nimmt_zu zunimmt hoeher angehoben zugelegt verbessert
            """,
            """
                gekuerzt reduziert verringert gefallen faellt fiel fielen fallen gesunken sinkt sank
                sanken sinken abgenommen zurueckgegangen geschrumpft schrumpft gesenkt nimmt_ab
                niedriger verschlechtert
            """,
        ),
        "more": ("mehr", "weniger"),
        "better": ("besser", "schlechter"),
        "good": ("gut gute guter gutes guten", "schlecht schlechte schlechter schlechtes schlechten"),
        "easy": ("einfach leicht_zu", "schwierig schwer_zu kompliziert"),
        "hot": ("heiss warm waermer heisser", "kalt kuehl kaelter kuehler"),
        "big": ("gross groesser groesste grosse grosser", "klein kleiner kleinste kleine kleines"),
        "long": ("lang laenger lange", "kurz kuerzer kurze"),
        "high": ("hoch hoeher hoechste", "niedrig tief niedriger tiefer"),
        "fast": ("schnell schneller", "langsam langsamer"),
        "cheap": ("billig billiger guenstig guenstiger preiswert verbilligt", "teuer teurer verteuert"),
        "old": ("alt aelter aelteste", "jung juenger juengste"),
        "new": ("neu neue neuer neues", "alt alte alter altes veraltet"),
        "heavy": ("schwer schwerer", "leicht leichter"),
        "bright": ("hell heller", "dunkel dunkler"),
        "strong": ("stark staerker", "schwach schwaecher"),
        "full": ("voll belegt besetzt ausgebucht ausverkauft vermietet", "leer frei unbesetzt"),
        "wet": ("nass feucht", "trocken"),
        "safe": ("sicher ungefaehrlich harmlos", "unsicher gefaehrlich schaedlich"),
        "public": ("oeffentlich", "privat vertraulich geheim nichtoeffentlich"),
        "internal": ("intern", "extern"),
        "manual": ("manuell haendisch von_hand handbetrieb", "automatisch automatisiert"),
        "optional": ("optional freiwillig", "verpflichtend pflicht zwingend obligatorisch vorgeschrieben"),
        "free": ("kostenlos gratis kostenfrei umsonst", "kostenpflichtig gebuehrenpflichtig"),
        "paid": ("bezahlt beglichen", "unbezahlt offen ueberfaellig"),
        "remote": ("remote im_homeoffice homeoffice von_zu_hause", "vor_ort im_buero"),
        "left": ("links linke linken", "rechts rechte rechten"),
        "north": ("nord noerdlich norden", "sued suedlich sueden"),
        "east": ("ost oestlich osten", "west westlich westen"),
        "up": ("oben obere oberen", "unten untere unteren"),
        "front": ("vorne vorn vordere", "hinten hintere"),
        "married": ("verheiratet", "ledig unverheiratet geschieden"),
        "vegetarian": ("vegetarisch vegetarier vegetarierin vegan", "fleisch"),
        "indoor": ("drinnen innen", "draussen aussen im_freien"),
        "day": ("tagsueber", "nachts"),
        "morning": (
            "fruehschicht vormittag morgens vormittags frueh",
            "spaetschicht nachtschicht abend abends nachmittags",
        ),
        "win": ("gewonnen gewinnt gewann sieg", "verloren verliert verlor niederlage"),
        "buy": ("kauft gekauft kaufte", "verkauft verkaufte"),
        "begin": ("beginnt begann anfaengt", "endet endete"),
        "confirm": (
            "bestaetigt findet_statt stattfindet",
            "dementiert abgesagt storniert verschoben faellt_aus ausgefallen entfaellt",
        ),
        "work": (
            "funktioniert intakt heil in_ordnung funktionstuechtig einsatzbereit geht_wieder",
            "defekt kaputt beschaedigt gestoert ausgefallen unbrauchbar",
        ),
        "encrypted": ("verschluesselt", "unverschluesselt klartext im_klartext"),
        "signed": ("unterschrieben unterzeichnet", "nicht_unterschrieben"),
        "permanent": ("unbefristet dauerhaft fest", "befristet voruebergehend vorlaeufig"),
        "full_time": ("vollzeit", "teilzeit halbtags"),
        "pass": ("bestanden erfolgreich gelungen", "durchgefallen gescheitert fehlgeschlagen misslungen"),
        "true": ("wahr richtig korrekt gueltig stimmt", "falsch unwahr inkorrekt ungueltig"),
        "present": ("anwesend da_war dabei", "abwesend gefehlt verhindert"),
        "alive": ("lebt lebendig", "tot gestorben verstorben"),
        "stable": ("stabil", "instabil"),
        "love": ("mag liebt gerne gern geniesst schaetzt moegen", "hasst verabscheut ungern abneigung meidet"),
        "agree": ("dafuer befuerwortet", "dagegen widerspricht abgelehnt"),
        "clean": ("sauber gereinigt", "schmutzig dreckig verschmutzt"),
        "happy": ("zufrieden gluecklich", "unzufrieden ungluecklich"),
        "available": (
            "auf_lager lieferbar erreichbar verfuegbar_ist",
            "vergriffen nicht_lieferbar unerreichbar ausverkauft",
        ),
        "needed": ("noetig notwendig erforderlich", "unnoetig ueberfluessig"),
        "possible": ("moeglich", "unmoeglich"),
        "compatible": ("kompatibel vertraeglich", "inkompatibel unvertraeglich"),
        "known": ("bekannt", "unbekannt"),
        "fresh": ("frisch", "verdorben abgelaufen"),
        "loud": ("laut", "leise ruhig"),
        "thick": ("dick", "duenn"),
        "wide": ("breit", "schmal"),
        "early": ("frueher frueh", "spaeter spaet verspaetet"),
        "near": ("nah nahe", "weit fern"),
        "rare": ("selten", "oft haeufig"),
        "keep": (
            "verlaengert behalten beibehalten bleibt_bestehen",
            "gekuendigt geloescht entfernt aufgeloest abgeschafft kuendigt",
        ),
        "ahead": (
            "im_zeitplan puenktlich rechtzeitig im_plan",
            "im_rueckstand verspaetung verspaetet unpuenktlich im_verzug",
        ),
        "locked": ("abgeschlossen verriegelt", "unverschlossen entriegelt"),
        "hired": ("eingestellt", "entlassen"),
        "stop": ("gestartet fortgesetzt", "gestoppt angehalten eingestellt unterbrochen"),
        "same": ("gleich identisch", "verschieden unterschiedlich"),
        "profit": ("gewinn", "verlust"),
        "sweet": ("suess", "sauer bitter"),
        "connected": ("angeschlossen verbunden", "getrennt abgeklemmt"),
        "visible": ("sichtbar", "unsichtbar versteckt"),
        "smoker": ("raucht raucher raucherin", "nichtraucher nichtraucherin"),
        "import": ("importiert", "exportiert"),
        "agreeable": ("einig", "uneinig"),
    },
    concepts={
        "home": "wohnort wohnt wohnhaft",
        "written": "geschrieben_in programmiert_in",
        "next": "naechste naechster naechstes naechsten",
        "place": "wo standort ort platzierung stellplatz",
        "owner": """
            eigentuemer eigentuemerin besitzer besitzerin inhaber inhaberin verantwortlich verantwortliche
            verantwortlicher zustaendig zustaendige gehoert betreut betreuer
        """,
        "boss": "chef chefin vorgesetzter vorgesetzte vorgesetzten berichtet unterstellt",
        "lead": """
            leiter leiterin leitung leitet geleitet projektleiter projektleiterin projektleitung teamleiter
            teamleitung vorsitz vorsitzende
        """,
        "birthday": "geburtstag geburtsdatum geboren",
        "capital": "hauptstadt",
        "ceo": "geschaeftsfuehrer geschaeftsfuehrerin",
        "mayor": "buergermeister buergermeisterin",
        "founder": "gruender gegruendet gruenderin",
        "author": "autor autorin verfasser",
        "branch": "zweig branch hauptzweig standardbranch standardzweig",
        "region": "region",
        "spouse": "ehemann ehefrau ehepartner ehepartnerin",
        "mother": "mutter",
        "father": "vater",
        "blood": "blutgruppe",
        "cause": "ursache grund verursacht ausgeloest",
        "colour": "farbe lackiert gestrichen",
        "deadline": "frist abgabe abgabetermin stichtag faellig",
        "email": "e_mail mailadresse",
        "phone": "telefon handy telefonnummer handynummer",
        "headcount": """
            personen leute mitarbeiter mitarbeitende beschaeftigte teamgroesse mitglieder teilnehmer koepfe
            belegschaft mitarbeiterzahl
        """,
        "length": "laenge entfernung strecke lang",
        "size": "teamgroesse groesse",
        "weight": "gewicht masse wiegt",
        "height": "hoehe hoch",
        "width": "breite breit",
        "depth": "tiefe tief",
        "price": "restbetrag guthaben saldo betrag summe wert kaufpreis preis kosten kostet gebuehr miete",
        "budget": "budget",
        "limit": """
            kapazitaet hoechstzahl plaetze grenze obergrenze maximum hoechst hoechstlast kapazitaet minimum
            untergrenze grenzwert limit tragkraft traglast fassungsvermoegen mindest zahlungsziel
        """,
        "disk": "festplatte platte speicherplatz",
        "memory": "arbeitsspeicher ram",
        "duration": "zeitraum frist_dauer zeit dauer dauert laufzeit dauerte",
        "latency": "antwortzeit latenz",
        "median": "median",
        "rank": "platz rang platzierung",
        "start": """
            eingetreten eintritt angefangen dabei_seit seit arbeitsbeginn arbeitsanfang beginn start anfang
            beginnt startet begann eroeffnung eroeffnet beginnen
        """,
        "end": "ende endet ablauf laeuft_ab schluss auslaufen ablaufdatum",
        "release": "release erscheint veroeffentlicht veroeffentlichung erschienen ausgeliefert",
        "arrive": "kommt ankunft besuch kommen trifft_ein",
        "train": "zug bahn",
        "city": "stadt",
        "status": "status zustand stand ergebnis entscheidung ausgang stellung",
        "address": "adresse anschrift",
        "default": "standard voreinstellung vorgabe",
        "primary": "haupt",
        "favourite": "lieblings lieblingsfarbe lieblingsessen",
        "day": "wann jahr monat tag termin datum wochentag zeitpunkt",
        "language": "sprache programmiersprache",
        "timezone": "zeitzone",
        "discount": "rabatt nachlass",
        "version": "version",
        "revenue": "umsatz",
        "seat": "sitzplatz sitzplaetze plaetze",
        "hq": "hauptsitz firmensitz zentrale",
        "title": "beruf",
        "age": "alter",
        "doctor": "hausarzt hausaerztin",
        "contact": "ansprechpartner ansprechpartnerin kontakt kontaktperson",
        "deputy": "stellvertreter stellvertreterin vertretung",
        "room": "raum zimmer",
        "customer": "kunde kunden",
        "meeting": "besprechung treffen sitzung trifft",
        "supplier": "lieferant lieferanten",
        "birthplace": "herkunft kommt_aus stammt_aus heimatort geburtsort",
        "wedding": "hochzeit",
        "payment": "zahlung zahlt bezahlt zahlungsziel",
        "nationality": "staatsangehoerigkeit nationalitaet",
        "currency": "waehrung",
        "insurer": "versicherer",
        "teacher": "klassenlehrer klassenlehrerin",
        "winner": "sieger siegerin gewinner",
        "database": "datenbank",
        "venue": "veranstaltungsort tagungsort",
        "approval": "freigabe freigaben",
        "temperature": "solltemperatur raumtemperatur temperatur",
        "area": "flaeche",
    },
    relations={
        "left_of": ("links_von links_neben", "rechts_von rechts_neben"),
        "boss": (
            "berichtet_an untersteht unterstellt",
            "leitet fuehrt chef_von chefin_von vorgesetzter_von vorgesetzte_von",
        ),
        "acquire": ("kaufte uebernahm kauft uebernimmt gekauft uebernommen", "gekauft_von uebernommen_von"),
        "before": ("vor", "nach hinter"),
        "teach": (
            "unterrichtet betreut mentor_von mentorin_von lehrer_von",
            "schueler_von schuelerin_von lehrling_von",
        ),
        "parent": ("vater_von mutter_von", "sohn_von tochter_von kind_von"),
        "beat": ("schlug besiegte besiegt gewinnt_gegen gewann_gegen", "verlor_gegen unterlag"),
        "depend": ("haengt_von ruft braucht benoetigt", "wird_benoetigt_von"),
        "replace": ("ersetzt loest_ab", "ersetzt_durch abgeloest_von wird_ersetzt_durch"),
        "prefer": ("lieber zieht bevorzugt", ""),
        "north": ("noerdlich_von", "suedlich_von"),
        "east": ("oestlich_von", "westlich_von"),
        "above": ("ueber oberhalb_von", "unter unterhalb_von"),
    },
)
