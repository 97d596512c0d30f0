"""English."""

# ruff: noqa: SIM905 - lists of words read better as text

from cruxstore.trust.contradiction.words.language import Cue, Language

_UNITS = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen
""".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()

ENGLISH = Language(
    name="en",
    decimal_mark=".",
    cues={
        Cue.STOP: """
            minus the a an this that these those of in on at by for with from as it its is are was were be
            been being i he she they we you him her his hers their theirs our your my me us them there here
            and or also too so then which who whom whose what when where while into onto about through
            during than very much just even own same some such each every do does did s d ll re ve m up down
            out off over both all still currently now today always usually already normally generally both
            either whole entire if per via around along across own would will shall can may must not_only
            no_matter no_problem no_doubt of_course by_default as_well as_of how whether ago later please
            yes_and mr mrs ms dr sir mainly mostly regularly directly quite really ever again known existing
            yet anymore soon fully properly completely actually simply early_on together thereof instead
            else still_just nowadays at_all right_now at_the_moment these_days
        """,
        Cue.LIGHT: """
            has have had having get gets got getting use uses used using run runs running ran make makes
            made take takes taken took go goes went gone come comes came keep keeps kept give gives given
            gave put puts set sets include includes included including contain contains contained ship ships
            shipped offer offers offered offering provide provides provided exist exists want wants wanted
            need needs needed require requires required hold holds held find finds found stay stays stayed
            remain remains remained live lives happen happens occur occurs allow_for say says said call
            calls called name named count counts counted total amount amounts work works working write
            writes wrote written_to written_in written_by store stores stored belong belongs thing things
            way one_of handle handles handled become becomes became let lets be_found located stand stands
            sit sits seat use_of fit fits serve serves served people number_of support supports supported
            turn turns turned return_to take_place show shows shown weigh weighs lasts cost costs measure
            measures measured carry carries stay_at currently_at do_so
        """,
        Cue.NEGATION: """
            not no never none nobody noone no_one nothing nowhere neither nor without cannot hardly scarcely
            barely hardly_ever next_to_nothing lacks lack lacking free_of fails_to failed_to refuses_to
            refused_to no_longer any_longer not_any_more isn_t aren_t wasn_t weren_t doesn_t don_t didn_t
            won_t wouldn_t shouldn_t couldn_t can_t hasn_t haven_t hadn_t mustn_t isnt arent wasnt doesnt
            dont didnt wont cant devoid stopped ceased discontinued no_more not_yet nope yet_to_be
            has_yet_to have_yet_to remains_to_be
        """,
        Cue.BREAK: """
            but because although though however whereas unless except therefore thus since_then hence
            so_that even_though even_when even_if which_is after_which
        """,
        Cue.EXCLUSIVE: """
            only sole solely exclusively alone nothing_else no_other nobody_else no_one_else nothing_but
            exactly_one just_one and_no_other one_and_only none_other and_nothing_else exclusive uniquely
        """,
        Cue.PAST: """
            formerly previously used_to former earlier originally back_then in_the_past at_first initially
            historically
        """,
        Cue.HEDGE: """
            maybe might perhaps possibly probably considering likely rumoured rumored plans_to thinking_of
            hopes_to proposed planned_for unsure supposedly
        """,
        Cue.AT_LEAST: """
            at_least min minimum no_less_than not_less_than no_fewer_than not_fewer_than from_at_least
            a_minimum_of starting_at or_better
        """,
        Cue.AT_MOST: """
            at_most max maximum no_more_than not_more_than up_to not_exceed not_exceeding does_not_exceed
            never_exceeds no_later_than not_later_than within capped_at a_maximum_of limited_to
            must_not_exceed never_more_than not_above never_above not_over limit_of inside
        """,
        Cue.MORE_THAN: "more_than over above greater_than exceeds exceeding larger_than longer_than upwards_of beyond",
        Cue.LESS_THAN: "less_than under below fewer_than smaller_than shorter_than",
        Cue.ABOUT: "about around approximately approx roughly circa ca nearly almost some close_to or_so",
        Cue.OR_MORE: "or_more or_longer and_more and_up or_above or_greater plus",
        Cue.OR_LESS: "or_less or_fewer or_under or_below at_the_most tops",
        Cue.BETWEEN: "between from",
        Cue.TO: "to until till through thru and",
        Cue.AND: "and",
        Cue.EVERY: "every each",
        Cue.PER: "per a an each",
        Cue.START: "since from starting as_of from_the onwards",
        Cue.END: "until till up_until expires ends ended expired",
        Cue.END_OF: "end_of the_end_of late end",
        Cue.START_OF: "start_of the_start_of beginning_of early",
        Cue.MIDDLE_OF: "middle_of mid",
        Cue.THAN: "than",
        Cue.ANY: "any anything anybody anyone anywhere whatsoever",
        Cue.LABEL: """
            version release series room sensor hall floor phase step line gate platform no nr number chapter
            level stage building unit_no batch ticket build team group invoice order module bay rack port_no
            track site zone generation v slot shelf deck pump tank server node channel round week sprint day
        """,
    },
    numbers={word: at for at, word in enumerate(_UNITS)}
    | {word: 20 + 10 * at for at, word in enumerate(_TENS)}
    | {"dozen": 12, "couple": 2, "nought": 0, "twice": 2, "once": 1, "thrice": 3},
    fractions={"half": 0.5, "quarter": 0.25, "third_of": 1 / 3, "one_and_a_half": 1.5},
    scales={
        "hundred": 100,
        "thousand": 1000,
        "million": 10**6,
        "millions": 10**6,
        "billion": 10**9,
        "k": 1000,
        "mn": 10**6,
        "bn": 10**9,
    },
    ordinals=(
        "first 1st",
        "second 2nd",
        "third 3rd",
        "fourth",
        "fifth",
        "sixth",
        "seventh",
        "eighth",
        "ninth",
        "tenth",
        "eleventh",
        "twelfth",
    ),
    last="last final",
    months=(
        "january jan",
        "february feb",
        "march",
        "april apr",
        "may",
        "june jun",
        "july jul",
        "august aug",
        "september sept sep",
        "october oct",
        "november nov",
        "december dec",
    ),
    seasons=("spring springtime", "summer summertime", "autumn fall_of", "winter wintertime"),
    weekdays=(
        "monday mondays mon",
        "tuesday tuesdays tue tues",
        "wednesday wednesdays wed",
        "thursday thursdays thu thur thurs",
        "friday fridays fri",
        "saturday saturdays sat",
        "sunday sundays sun",
        "weekdays weekday workdays",
        "weekends weekend",
    ),
    day_parts={"noon": "12:00", "midday": "12:00", "midnight": "00:00"},
    units={
        "every d": "daily every_day nightly every_night",
        "every wk": "weekly",
        "every mo": "monthly",
        "every h": "hourly",
        "every yr": "yearly annually annual",
        "s": "second seconds sec secs",
        "ms": "millisecond milliseconds msec",
        "min": "minute minutes mins",
        "h": "hour hours hr hrs",
        "d": "day days",
        "wk": "week weeks fortnightly",
        "mo": "month months",
        "yr": "year years",
        "m": "metre metres meter meters",
        "km": "kilometre kilometres kilometer kilometers",
        "cm": "centimetre centimetres centimeter centimeters",
        "mm": "millimetre millimetres millimeter millimeters",
        "mi": "mile miles",
        "ft": "foot feet",
        "in_": "inch inches",
        "yd": "yard yards",
        "g": "gram grams gramme grammes",
        "kg": "kilogram kilograms kilo kilos",
        "t": "tonne tonnes ton tons",
        "lb": "pound_weight lb lbs",
        "oz": "ounce ounces",
        "l": "litre litres liter liters",
        "ml": "millilitre millilitres milliliter milliliters",
        "m2": "square_metre square_metres square_meter square_meters sqm",
        "m3": "cubic_metre cubic_metres cubic_meter cubic_meters",
        "ha": "hectare hectares",
        "%": "percent per_cent pct",
        "eur": "euro euros",
        "usd": "dollar dollars bucks",
        "gbp": "pounds quid pound sterling",
        "rub": "rouble roubles ruble rubles",
        "chf": "franc francs",
        "jpy": "yen",
        "b": "byte bytes",
        "kb": "kilobyte kilobytes",
        "mb": "megabyte megabytes",
        "gb": "gigabyte gigabytes gig gigs",
        "tb": "terabyte terabytes",
        "°c": "degrees_celsius degree_celsius celsius centigrade degrees_centigrade",
        "°f": "degrees_fahrenheit fahrenheit",
        "°": "degrees degree",
        "kw": "kilowatt kilowatts",
        "w": "watt watts",
        "v": "volt volts",
        "a_": "amp amps ampere amperes",
        "hz": "hertz",
        "bar": "bars",
        "kmh": "kph mph_metric",
        "mph": "miles_per_hour",
        "kwh": "kilowatt_hour kilowatt_hours",
        "kcal": "calories calorie kilocalories",
        "cent": "cents",
    },
    axes={
        "plenty": (
            "plenty ample abundant",
            "run_out ran_out used_up out_of running_low scarce running_out short_supply",
        ),
        "returned": ("returned given_back handed_back", "on_loan lent_out"),
        "published": ("published", "draft unpublished"),
        "automatic": ("by_itself automatically self_adjusting on_its_own", "by_hand manually"),
        "open": ("open opens opened opening reopened", "closed closes close shut shuts closing"),
        "resolved": ("resolved fixed solved closed", "unresolved still_open unfixed outstanding open"),
        "done": (
            "all_done done finished complete completed accomplished",
            """
                still_working_on working_on under_way half_finished unfinished incomplete ongoing
                in_progress not_done pending
            """,
        ),
        "on": (
            """
                in_use running_again rolled_out turned_back_on in_use enabled enable enables active
                activated activates running_now switched_on turned_on up_and_running operational online
                live
            """,
            """
                out_of_use crashed hung retired decommissioned switched_back_off rolled_back disabled
                disable disables inactive deactivated switched_off turned_off powered_off offline off
                is_off are_off is_down dead
            """,
        ),
        "accept": (
            """
                granted grants grant accept accepts accepted accepting welcome welcomes takes_back
                approve approves approved
            """,
            """
                awaiting_approval pending_approval denied denies turns_away refuse refuses refused
                refusing reject rejects rejected rejecting decline declines declined turn_down
                turned_down turns_down
            """,
        ),
        "allow": (
            "allowed allow allows permitted permit permits may_be_used legal lets",
            """
                forbidden forbid forbids prohibited prohibits banned ban bans disallowed disallows
                blocked blocks denied illegal off_limits
            """,
        ),
        "include": (
            "covers covered includes_it included_in comes_with",
            "left_out missing_from skips ignores excludes exclude excluded excluding omits omitted left_out",
        ),
        "rise": (
            """
                raised_to expanded went_up rise rises rose risen rising increase increases increased
                grow grows grew grown growing climbed up_by gained went_up goes_up raised raises jumped
                improved expands
            """,
            """
                cut reduced reduces trimmed slashed declined dipped fall falls fell fallen falling
                decrease decreases decreased drop drops dropped decline_of shrink shrinks shrank shrunk
                shrinking sank down_by lost_ground went_down goes_down lowered lowers slumped worsened
            """,
        ),
        "more": ("more", "less fewer"),
        "better": ("better", "worse"),
        "good": ("good excellent great fine", "bad poor terrible awful"),
        "easy": ("easy simple effortless", "difficult hard complicated"),
        "hot": ("hot warm warmer hotter warmest hottest", "cold cool cooler colder chilly coldest frozen"),
        "big": ("big large bigger larger huge biggest largest", "small little smaller tiny smallest"),
        "long": ("long longer longest", "short shorter shortest brief"),
        "high": ("high higher highest", "low lower lowest"),
        "tall": ("taller tallest tall", "shorter shortest"),
        "fast": ("fast faster quick quicker quickly fastest rapid", "slow slower slowly slowest sluggish"),
        "cheap": ("cheap cheaper cheapest inexpensive", "expensive pricier dearer costly dear"),
        "old": ("old older oldest elder senior", "young younger youngest junior"),
        "new": ("new newer brand_new", "old older outdated obsolete"),
        "heavy": ("heavy heavier heaviest", "light lighter lightest lightweight"),
        "bright": ("bright brighter", "dark darker dim"),
        "strong": ("strong stronger", "weak weaker"),
        "full": ("full fully_booked sold_out occupied taken_up", "empty vacant unoccupied"),
        "wet": ("wet damp moist humid", "dry arid"),
        "safe": ("safe harmless secure", "dangerous unsafe hazardous insecure harmful vulnerable"),
        "public": ("public open_source", "private confidential secret internal_only proprietary"),
        "internal": ("internal in_house inhouse", "external outsourced third_party"),
        "site": ("on_site onsite", "off_site offsite"),
        "manual": ("manual manually by_hand", "automatic automatically automated unattended"),
        "optional": ("optional voluntary voluntarily", "mandatory compulsory obligatory"),
        "free": ("free_of_charge gratis for_free at_no_charge", "paid_for chargeable charged"),
        "paid": ("paid settled", "unpaid outstanding overdue"),
        "remote": ("remote remotely from_home", "on_site onsite in_the_office on_premises"),
        "synchronous": ("synchronous synchronously", "asynchronous asynchronously async"),
        "left": ("left left_hand left_handed", "right right_hand right_handed"),
        "north": ("north northern northwards", "south southern southwards"),
        "east": ("east eastern eastwards", "west western westwards"),
        "up": ("upstairs upper upwards", "downstairs lower downwards"),
        "front": ("front", "back rear"),
        "married": ("married", "single unmarried divorced"),
        "vegetarian": ("vegetarian vegan", "meat_eater eats_meat carnivore meat"),
        "indoor": ("indoors indoor inside_the_house", "outdoors outdoor outside"),
        "day": ("daytime by_day", "night by_night at_night overnight"),
        "morning": ("morning mornings am_shift", "evening evenings afternoon afternoons"),
        "win": ("won win wins victory", "lost lose loses defeat defeated"),
        "buy": ("buys bought buy purchased purchases", "sells sold sell"),
        "begin": ("begins began begin starts_at starts started", "ends ended end_at"),
        "confirm": (
            "confirmed confirms confirm",
            "denied denies deny disproved refuted cancelled canceled called_off postponed",
        ),
        "work": (
            "works_fine works working intact functional in_order functioning operates healthy",
            "broken defective faulty out_of_order malfunctioning unusable damaged crashed",
        ),
        "encrypted": ("encrypted ciphered", "unencrypted in_the_clear plaintext in_plain_text cleartext"),
        "signed": ("signed", "unsigned"),
        "permanent": ("permanent permanently indefinite", "temporary temporarily provisional interim"),
        "full_time": ("full_time", "part_time half_time"),
        "pass": ("passed passes pass succeeded succeeds successful successfully", "failed fails fail unsuccessful"),
        "true": ("true correct right_answer valid", "false wrong incorrect untrue invalid"),
        "present": ("present attended attends in_attendance came_along", "absent missing away missed skipped"),
        "alive": ("alive", "dead died deceased"),
        "stable": ("stable steady", "unstable flaky shaky"),
        "shared": ("shared joint communal", "exclusive dedicated private"),
        "love": (
            "like likes liked love loves enjoys enjoy adores fond_of keen_on prefers_to",
            """
                dislike dislikes disliked hates hate hated detests avoids loathes averse_to cannot_stand
                can_not_stand
            """,
        ),
        "agree": (
            "in_favor supports agrees agreed agree in_favour supports_it for_it",
            "critical_of disagrees disagreed opposes opposed objects against_it against",
        ),
        "trust": ("trusts trusted", "distrusts untrusted mistrusts"),
        "strict": ("strict rigid", "lenient lax flexible"),
        "clean": ("clean tidy cleaned", "dirty messy soiled"),
        "happy": ("happy satisfied pleased content", "unhappy dissatisfied displeased sad"),
        "available": (
            "available free_on free_at in_stock available_now free_now",
            "unavailable busy out_of_stock sold_out",
        ),
        "required": ("required must_have", "not_needed unnecessary optional"),
        "needed": ("necessary", "unnecessary needless superfluous"),
        "possible": ("possible feasible able can_be_done", "impossible infeasible unable"),
        "compatible": ("compatible", "incompatible"),
        "effective": ("effective", "ineffective useless"),
        "known": ("well_known", "unknown"),
        "fresh": ("fresh", "stale spoiled rotten expired"),
        "raw": ("raw uncooked", "cooked boiled roasted"),
        "loud": (" loud noisy", "hushed quiet silent"),
        "smooth": ("smooth", "rough"),
        "thick": ("thick", "thin"),
        "deep": ("deep deeper", "shallow shallower"),
        "wide": ("wide wider broad", "narrow narrower"),
        "early": ("early earlier", "late later delayed behind_schedule"),
        "near": ("near nearby close_by", "far far_away distant"),
        "rich": ("rich wealthy", "poor"),
        "rare": ("rare rarely seldom infrequent infrequently", "frequent frequently often common commonly regularly"),
        "most": ("most mostly nearly_all almost_all majority", "hardly_any few almost_none"),
        "keep": (
            "keeps kept retained retains renew renews renewed extended extends",
            """
                deleted deletes removed removes dropped terminated terminates cancels cancelled
                not_renewed scrapped abandoned
            """,
        ),
        "ahead": ("ahead_of_schedule on_time on_schedule punctual", "behind_schedule late delayed"),
        "locked": ("locked", "unlocked"),
        "hired": ("hired joined joins recruited", "fired left_the_company laid_off resigned quit dismissed"),
        "stop": (
            "start started starts resumes resumed continues continued",
            "stop stopped stops paused halted suspended discontinued ceased",
        ),
        "same": ("same identical equal", "different distinct unequal"),
        "profit": ("profit profitable", "loss loss_making unprofitable"),
        "sweet": ("sweet", "sour bitter"),
        "soft": ("soft", "hard"),
        "sunny": ("sunny", "rainy"),
        "connected": ("connected attached plugged_in", "disconnected detached unplugged"),
        "visible": ("visible shown displayed", "hidden invisible concealed"),
        "writable": ("writable read_write", "read_only readonly immutable"),
        "mutable": ("mutable", "immutable"),
        "centralised": ("centralised centralized central", "decentralised decentralized distributed"),
        "positive": ("positive", "negative"),
        "odd": ("odd", "even_numbered"),
        "smoker": ("smokes smoker smoking", "non_smoker nonsmoker smoke_free"),
        "teetotal": ("drinks_alcohol drinker", "teetotal teetotaller abstains sober"),
        "pro": ("advantage benefit", "disadvantage drawback"),
        "import": ("imports imported import", "exports exported export"),
        "upload": ("upload uploads uploaded", "download downloads downloaded"),
        "push": ("push pushes pushed", "pull pulls pulled"),
        "arrive": ("arrives arrived arrival", "departs departed leaves departure"),
        "enter": ("enters entered entrance", "exits exited exit"),
        "borrow": ("borrows borrowed", "lends lent"),
        "clockwise": ("clockwise", "counterclockwise anticlockwise counter_clockwise"),
        "horizontal": ("horizontal horizontally", "vertical vertically"),
        "ascending": ("ascending", "descending"),
        "major": ("major", "minor"),
        "guilty": ("guilty", "innocent acquitted"),
        "underestimate": ("overestimated", "underestimated"),
        "above": ("above", "below beneath underneath"),
    },
    concepts={
        "home": "home lives_in resides residence based_in",
        "assignee": "assignee assigned assigned_to",
        "volume": "volume",
        "area": "area surface floor_space square_metres",
        "temperature": "temperature temperatures temp",
        "written": "written_in implemented_in coded_in",
        "next": "next upcoming",
        "place": "where location placed spot site position",
        "owner": "owner owns owned ownership proprietor maintainer maintained maintains",
        "boss": """
            boss manager managed line_manager supervisor superior reports_to reporting_to report reports
            supervised reporting
        """,
        "lead": "lead leader leads led head heads headed chair chairs chaired chairman chairwoman",
        "birthday": "birthday birthdate born birth date_of_birth dob",
        "capital": "capital",
        "ceo": "ceo chief_executive",
        "president": "president",
        "mayor": "mayor",
        "founder": "founder founded",
        "author": "author",
        "branch": "branch",
        "region": "region",
        "spouse": "spouse husband wife married_to",
        "mother": "mother mum mom",
        "father": "father dad",
        "blood": "blood blood_type",
        "cause": "cause caused root_cause reason",
        "colour": "colour color painted",
        "deadline": "last_day_for submit_by cut_off cutoff deadline due due_date",
        "email": "email e_mail mail",
        "phone": "phone telephone mobile",
        "headcount": """
            servers_of respondents sample_size sample answered n users headcount staff employees people
            persons members workers crew size_of_team team_size attendees participants
        """,
        "length": "length distance long far",
        "size": "size",
        "weight": "weight mass weighs heavy weigh",
        "height": "height tall altitude high elevation",
        "width": "width wide",
        "depth": "depth deep",
        "price": """
            remaining balance left_over funds value worth amount sum deal_size rent price cost costs fee
            charge priced rate_card
        """,
        "budget": "budget",
        "limit": """
            smallest largest longest shortest slots slot spaces quota restriction restrictions allowance
            room_for limit limits maximum max capacity cap minimum min threshold highest lowest upper_limit
            ceiling allowed top max_load load holds quota
        """,
        "disk": "disk disc ssd hdd hard_drive storage disk_space",
        "memory": "memory ram",
        "duration": "term time period duration lasts takes took lasted time_taken length_of_time",
        "latency": "latency response_time",
        "median": "median p50 half_of",
        "rank": "rank place position ranking placed",
        "start": """
            joined join joins with_us hired_in signed_up installed installation since onset go_live start
            starts started begin begins began beginning first_day kickoff kick_off opens opening commences
            launch launches launched starting
        """,
        "end": """
            end ends ended ending expires expiry expire expired expiration finish finishes last_day closes
            runs_out terminates run_until
        """,
        "release": "release released releases went_out published go_live goes_live rollout ships",
        "arrive": "arrive arrives come comes visit arrival",
        "train": "train",
        "city": "city town",
        "password": "password",
        "status": "status state result outcome decision verdict",
        "address": "address",
        "default": "default",
        "primary": "primary main principal",
        "favourite": "favourite favorite",
        "current": "current",
        "walk": "walk walking on_foot foot",
        "day": "when year month dates day date",
        "language": "language",
        "timezone": "timezone time_zone",
        "discount": "discount off_the_list_price rebate",
        "people": "people persons",
        "version": "version",
        "revenue": "revenue turnover",
        "retry": "retry retries retried attempts",
        "seat": "seat seats",
        "hq": "headquarters hq headquartered head_office",
        "title": "job_title job occupation profession",
        "age": "age aged",
        "license": "license licence licensed",
        "gender": "gender sex",
        "nationality": "nationality citizen citizenship",
        "port": "port",
        "currency": "currency",
        "doctor": "doctor physician gp",
        "diagnosis": "diagnosis diagnosed",
        "database": "database",
        "winner": "winner won_by",
        "supplier": "supplier supplied",
        "insurer": "insurer",
        "birthplace": "home_town hometown comes_from from_originally native_of birthplace place_of_birth born_in",
        "contact": "contact contact_person point_of_contact",
        "deputy": "deputy",
        "room": "room",
        "desk": "desk",
        "gate": "gate",
        "method": "method",
        "approval": "approval approvals",
        "customer": "customer customers client clients",
        "open_hours": "opening_hours business_hours hours",
        "meeting": "meeting meetings meet meets",
        "payment": "payment pay paid pays payable",
        "hire": "hire hired",
        "tutor": "tutor mentor",
        "venue": "venue",
        "hosted": "hosted hosting",
        "teacher": "teacher",
        "godmother": "godmother",
        "model": "model",
        "wedding": "wedding married",
    },
    relations={
        "left_of": ("to_the_left_of left_of", "to_the_right_of right_of"),
        "front_of": ("in_front_of", "behind"),
        "boss": (
            "reports_to works_under answers_to supervised_by managed_by led_by",
            "manages supervises leads manager_of boss_of supervisor_of oversees in_charge_of",
        ),
        "acquire": (
            "bought acquired took_over purchased buys acquires",
            "bought_by acquired_by taken_over_by purchased_by sold_to",
        ),
        "prefer": ("prefers prefer preferred rather", ""),
        "before": ("before precedes ahead_of prior_to", "after follows behind"),
        "teach": (
            "mentors teaches coaches tutors mentor_of teacher_of coach_of trains",
            "mentored_by taught_by coached_by learns_from pupil_of student_of apprentice_of",
        ),
        "parent": ("parent_of mother_of father_of", "child_of son_of daughter_of"),
        "beat": ("beat beats defeated outranks overtook outperforms", "lost_to beaten_by defeated_by"),
        "depend": (
            "depends_on calls relies_on requires imports extends",
            "called_by required_by imported_by used_by",
        ),
        "replace": ("replaces replaced supersedes succeeded succeeds", "replaced_by superseded_by succeeded_by"),
        "north": ("north_of", "south_of"),
        "east": ("east_of", "west_of"),
        "above": ("above on_top_of", "below under beneath"),
        "older": ("older_than", "younger_than"),
    },
)
