"""French."""

# ruff: noqa: SIM905 - lists of words read better as text

from cruxstore.trust.contradiction.words.language import Cue, Language

_UNITS = """
    zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix_sept
    dix_huit dix_neuf
""".split()
_TENS = "vingt trente quarante cinquante soixante".split()

FRENCH = Language(
    name="fr",
    decimal_mark=",",
    cues={
        Cue.STOP: """
            le la les l un une des du de d au aux a en dans sur sous par pour avec chez vers ce cet cette
            ces ca c cela que qui quoi dont ou et est sont etait etaient etre ete sera seront il elle ils
            elles on nous vous je tu me te se s lui leur leurs son sa ses mon ma mes notre nos votre vos y m
            t j qu si quand lorsque comme encore toujours deja aussi meme tres bien tout tous toute toutes
            actuellement maintenant aujourd hui puis alors donc afin peut peuvent doit doivent faut ici
            la_bas seulement_pas non_seulement plus moins_que monsieur madame mme selon entre depuis jusque
            pendant apres avant_de lors voici voila celui celle ceux celles chaque_fois environ_que quelque
            quelques avoir surtout generalement normalement principalement au_total en_tout ou_bien soit
        """,
        Cue.LIGHT: """
            ai as avons avez ont avait avaient eu utilise utilisent utiliser fait font faire va vont aller
            vient viennent prend prennent met mettent tient donne donnent reste restent passe passent passer
            compte comptent contient contiennent comprend offre proposent propose existe existent dispose
            disponible veut veulent voudrait souhaite besoin trouve trouvent appelle nomme nommee inclut
            inclus fonctionne_avec tourne tournent travaille travaillent habite vit vivent coute pese mesure
            dure durent nombre total montant quantite possede fournit fournie livre livree demande demandent
            demandee demandees exige exigee exigent laisse laissent peut_etre_utilise sert servent lieu
            place places rend situe se_trouve avoir_lieu porte s_eleve sujet mettre gere tombee tombe boit
            mange manger boire vend exactement
        """,
        Cue.NEGATION: """
            pas jamais aucun aucune rien nul nulle sans ni non personne_ne guere nulle_part pas_encore
            pas_du_tout sauf_aucun manque manquent impossible_de a_peine n_est_plus ne_plus quasiment_pas
            quasiment_jamais pas_un pas_une presque_jamais presque_rien interdit_de
        """,
        Cue.NE: "ne n",
        Cue.ONLY_AFTER_NE: "que",
        Cue.BREAK: """
            mais car parce_que puisque cependant toutefois sauf bien_que meme_si quoique tandis_que
            alors_que donc or apres_que avant_que de_sorte_que meme_quand
        """,
        Cue.EXCLUSIVE: """
            seul seule seuls uniquement exclusivement unique seulement rien_d_autre personne_d_autre
            aucun_autre aucune_autre exclusif exclusive
        """,
        Cue.PAST: """
            autrefois jadis auparavant anciennement ancien ancienne anciens ex precedemment a_l_origine
            initialement
        """,
        Cue.HEDGE: """
            peut_etre probablement eventuellement sans_doute pourrait pourraient envisage possiblement
            il_se_peut serait auraient aurait
        """,
        Cue.AT_LEAST: "au_moins min minimum pas_moins_de minimal a_partir_de",
        Cue.AT_MOST: """
            au_plus max maximum jusqu_a jusqu_au pas_plus_de ne_depasse_pas ne_doit_pas_depasser au_maximum
            dans_les sous sans_depasser ne_pas_depasser limite_a jamais_plus_de
        """,
        Cue.MORE_THAN: "plus_de plus_d superieur_a depasse au_dessus_de plus_que au_dela_de",
        Cue.LESS_THAN: "moins_de moins_d inferieur_a au_dessous_de en_dessous_de moins_que",
        Cue.ABOUT: "environ quelque pres_de a_peu_pres autour_de presque quasiment approximativement",
        Cue.OR_MORE: "ou_plus et_plus",
        Cue.OR_LESS: "ou_moins maximum",
        Cue.BETWEEN: "entre de du",
        Cue.TO: "a au et jusqu_a jusqu_au",
        Cue.AND: "et",
        Cue.EVERY: "chaque tous_les toutes_les",
        Cue.PER: "par a_l a_la l",
        Cue.START: "depuis des a_partir_du a_compter_du",
        Cue.END: "jusqu_en jusqu_au jusqu_a expire",
        Cue.END_OF: "fin",
        Cue.START_OF: "debut",
        Cue.MIDDLE_OF: "mi milieu_de courant_mi",
        Cue.THAN: "que",
        Cue.LABEL: """
            version serie salle capteur etage phase etape ligne porte quai numero no n_o chapitre niveau
            batiment lot ticket groupe facture commande module baie zone boutique chambre bureau_no canal
            semaine jour pompe cuve serveur
        """,
    },
    numbers={word: at for at, word in enumerate(_UNITS) if word != "un"}
    | {word: 20 + 10 * at for at, word in enumerate(_TENS)}
    | {
        "soixante_dix": 70,
        "quatre_vingt": 80,
        "quatre_vingts": 80,
        "quatre_vingt_dix": 90,
        "septante": 70,
        "huitante": 80,
        "nonante": 90,
        "soixante_quinze": 75,
        "une_fois": 1,
        "dizaine": 10,
        "douzaine": 12,
        "quinzaine": 15,
        "vingtaine": 20,
        "trentaine": 30,
        "quarantaine": 40,
        "cinquantaine": 50,
        "centaine": 100,
    },
    fractions={"demi": 0.5, "demie": 0.5, "moitie": 0.5, "quart": 0.25},
    scales={
        "cent": 100,
        "cents": 100,
        "mille": 1000,
        "millier": 1000,
        "milliers": 1000,
        "million": 10**6,
        "millions": 10**6,
        "milliard": 10**9,
        "milliards": 10**9,
        "k": 1000,
    },
    ordinals=(
        "premier premiere 1er",
        "deuxieme second seconde",
        "troisieme",
        "quatrieme",
        "cinquieme",
        "sixieme",
        "septieme",
        "huitieme",
        "neuvieme",
        "dixieme",
        "onzieme",
        "douzieme",
    ),
    last="dernier derniere derniers dernieres",
    months=(
        "janvier janv",
        "fevrier fevr",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet juil",
        "aout",
        "septembre sept",
        "octobre oct",
        "novembre nov",
        "decembre dec",
    ),
    seasons=("printemps", "ete_de l_ete en_ete", "automne", "hiver"),
    weekdays=(
        "lundi lundis",
        "mardi mardis",
        "mercredi mercredis",
        "jeudi jeudis",
        "vendredi vendredis",
        "samedi samedis",
        "dimanche dimanches",
        "jours_ouvrables en_semaine",
        "week_end weekend",
    ),
    day_parts={"midi": "12:00", "minuit": "00:00"},
    units={
        "every d": "chaque_nuit toutes_les_nuits chaque_soir quotidien quotidienne quotidiennement",
        "every wk": "hebdomadaire",
        "every mo": "mensuel mensuelle mensuellement",
        "every yr": "annuel annuelle annuellement",
        "s": "seconde secondes",
        "ms": "milliseconde millisecondes",
        "min": "minute minutes",
        "h": "heure heures",
        "d": "jour jours journees",
        "wk": "semaine semaines",
        "mo": "mois",
        "yr": "an ans annee annees",
        "m": "metre metres",
        "km": "kilometre kilometres",
        "cm": "centimetre centimetres",
        "mm": "millimetre millimetres",
        "g": "gramme grammes",
        "kg": "kilogramme kilogrammes kilo kilos",
        "t": "tonne tonnes",
        "l": "litre litres",
        "ml": "millilitre millilitres",
        "m2": "metres_carres metre_carre",
        "m3": "metres_cubes metre_cube",
        "ha": "hectare hectares",
        "%": "pour_cent pourcent",
        "eur": "euro euros",
        "usd": "dollar dollars",
        "gbp": "livre_sterling livres_sterling",
        "rub": "rouble roubles",
        "chf": "franc francs",
        "b": "octet octets",
        "kb": "ko kilooctets",
        "mb": "mo_ megaoctet megaoctets",
        "gb": "go gigaoctet gigaoctets",
        "tb": "to teraoctet teraoctets",
        "°c": "degres_celsius celsius",
        "°": "degres degre",
        "kw": "kilowatt kilowatts",
        "w": "watt watts",
        "v": "volt volts",
        "a_": "ampere amperes",
        "bar": "bars",
        "cent": "centime centimes",
        "kwh": "kilowattheure kilowattheures",
        "kcal": "calories kilocalories",
    },
    axes={
        "plenty": (" abondant suffisant", "epuise epuisee penurie insuffisant"),
        "returned": ("rendu rendue", "prete pretee emprunte"),
        "published": ("publie publiee", "brouillon"),
        "colour": ("en_couleur", "noir_et_blanc"),
        "automatic": ("tout_seul automatiquement", "a_la_main manuellement"),
        "open": (
            "ouvert ouverte ouverts ouvertes ouvre ouvrent",
            "coupe barre ferme fermee fermes fermees ferment clos close",
        ),
        "resolved": ("resolu resolue regle reglee corrige", "non_resolu en_suspens ouvert"),
        "done": (
            "termine terminee fini finie acheve achevee complet complete",
            "en_chantier inacheve inachevee incomplet incomplete en_cours",
        ),
        "on": (
            """
                utilise_encore active activee actives activees allume allumee en_marche en_service actif
                en_fonction en_ligne branche
            """,
            """
                immobilise plante desactive desactivee desactives desactivees eteint eteinte arrete
                arretee a_l_arret hors_service inactif hors_ligne coupe
            """,
        ),
        "accept": (
            """
                accorde accordee bienvenu bienvenue bienvenus bienvenues accepte accepter acceptee
                accueille approuve approuvee valide validee reprend
            """,
            "refusee rejetee indesirable refuse refuser refusee rejete rejetee decline",
        ),
        "allow": (
            "autorise autorisee permis permise admis admise admis permet tolere autorises admises",
            "interdit interdite interdits interdites defendu prohibe",
        ),
        "include": ("inclus comprise compris incluse fourni", "exclu exclue exclut non_compris en_sus"),
        "rise": (
            """
                releve augmente augmentee augmentent monte monte_de hausse progresse grimpe croit
                croissance augmentation augmente_de ameliore
            """,
            """
                reduits coupe_de amputee baisse baissent diminue diminuent recule chute descend reduit
                reduite recul diminution tombe_de deteriore
            """,
        ),
        "more": ("davantage", "moins"),
        "better": ("meilleur meilleure mieux", "pire moins_bon"),
        "good": ("bon bonne bons bonnes", "mauvais mauvaise"),
        "easy": ("facile simple", "difficile complique compliquee"),
        "hot": ("chaud chaude", "froid froide frais"),
        "big": ("grand grande grands", "petit petite petits"),
        "long": ("long longue", "court courte"),
        "high": ("haut haute eleve elevee", "bas basse faible"),
        "fast": ("rapide rapidement vite", "lent lente lentement"),
        "cheap": ("bon_marche moins_cher abordable", "cher chere couteux couteuse plus_cher"),
        "old": ("vieux vieille age agee aine ainee", "jeune cadet cadette"),
        "new": ("nouveau nouvelle neuf neuve", "vieux ancien usage perime"),
        "heavy": ("lourd lourde", "leger legere"),
        "bright": ("clair claire lumineux", "sombre fonce obscur"),
        "strong": ("fort forte", "faible"),
        "full": ("plein pleine complet_booke occupe occupee", "vide libre vacant inoccupe"),
        "wet": ("humide mouille", "sec seche"),
        "safe": ("sur_et sans_danger inoffensif securise", "dangereux dangereuse nocif risque"),
        "public": ("public publique publics", "prive privee confidentiel confidentielle secret"),
        "internal": ("interne internes en_interne", "externe externes sous_traite"),
        "manual": ("manuel manuelle manuellement a_la_main", "automatique automatiquement automatise"),
        "optional": ("facultatif facultative optionnel optionnelle", "obligatoire requis requise imperatif"),
        "free": ("gratuit gratuite gratuitement", "payant payante"),
        "paid": ("paye payee regle reglee acquitte", "impaye impayee en_souffrance"),
        "remote": ("a_distance en_teletravail teletravail", "sur_place au_bureau sur_site en_presentiel presentiel"),
        "synchronous": ("synchrone", "asynchrone"),
        "left": ("gauche", "droite"),
        "north": ("nord", "sud"),
        "east": ("est_de l_est", "ouest"),
        "up": ("en_haut superieur", "en_bas inferieur"),
        "front": ("devant_la avant_de_la", "derriere arriere"),
        "married": ("marie mariee", "celibataire divorce divorcee"),
        "vegetarian": ("vegetarien vegetarienne vegan vegetalien", "viande carnivore"),
        "indoor": ("interieur a_l_interieur", "exterieur dehors en_plein_air"),
        "day": ("de_jour la_journee", "de_nuit la_nuit"),
        "morning": ("matinee matin", "soiree nuit soir apres_midi"),
        "win": ("gagne gagnee remporte victoire", "perd perdu perdue defaite"),
        "buy": ("achete acheter achetee", "vend vendu vendre vendue"),
        "begin": ("commence debute", "finit se_termine"),
        "confirm": ("confirme confirmee maintenu maintenue", "annule annulee dementi reporte reportee"),
        "work": (
            "fonctionne marche intact operationnel en_bon_etat",
            "casse cassee panne en_panne defectueux hors_d_usage abime ne_marche_plus",
        ),
        "encrypted": ("chiffre chiffree chiffrees chiffres crypte cryptees", "en_clair non_chiffre"),
        "signed": ("signe signee", "non_signe"),
        "permanent": ("permanent permanente cdi definitif", "temporaire provisoire cdd"),
        "full_time": ("plein_temps temps_plein", "mi_temps temps_partiel"),
        "pass": ("reussi reussie reussite succes admis", "echoue echec rate"),
        "true": ("vrai vraie exact exacte correct", "faux fausse inexact incorrect errone"),
        "present": ("present presente", "absent absente"),
        "alive": ("vivant vivante", "mort morte decede decedee"),
        "stable": ("stable", "instable"),
        "love": ("aime adore apprecie aiment", "deteste hait horreur evite n_aime_pas"),
        "agree": ("d_accord favorable", "en_desaccord oppose opposee contre defavorable"),
        "clean": ("propre", "sale"),
        "happy": ("content contente satisfait satisfaite heureux", "mecontent mecontente insatisfait malheureux"),
        "available": ("en_stock", "en_rupture epuise indisponible"),
        "needed": ("necessaire utile", "inutile superflu"),
        "possible": ("possible", "impossible"),
        "compatible": ("compatible", "incompatible"),
        "known": ("connu connue", "inconnu inconnue"),
        "fresh": ("fraiche", "perime gate"),
        "loud": ("bruyant bruyante", "silencieux silencieuse calme"),
        "thick": ("epais epaisse", "mince fin"),
        "wide": ("large", "etroit etroite"),
        "early": ("tot en_avance", "tard en_retard tardif"),
        "near": ("proche pres", "loin lointain"),
        "rare": ("rare rarement", "souvent frequent frequemment"),
        "keep": (
            "renouvele renouvelee reconduit conserve garde prolonge",
            "resilie resiliee supprime supprimee abandonne efface",
        ),
        "locked": ("verrouille", "deverrouille"),
        "hired": ("embauche embauchee recrute", "licencie licenciee demissionne"),
        "stop": ("demarre lance repris", "stoppe suspendu suspendue interrompu interrompue arrete"),
        "same": ("identique pareil", "different differente distinct"),
        "profit": ("benefice rentable", "perte deficitaire"),
        "sweet": ("sucre", "sale_ amer acide"),
        "connected": ("connecte raccorde", "deconnecte debranche"),
        "visible": ("visible", "invisible cache"),
        "smoker": ("fume fumeur fumeuse", "non_fumeur non_fumeuse"),
        "import": ("importe", "exporte"),
        "ahead": ("en_avance dans_les_temps a_l_heure ponctuel", "retard en_retard en_retard"),
        "cheaper": ("baisse_de_prix", "encherit"),
    },
    concepts={
        "home": "domicile habite",
        "written": "ecrit_en developpe_en ecrite_en",
        "next": "prochain prochaine prochains",
        "place": "ou emplacement localisation",
        "owner": "proprietaire responsable proprietaires mainteneur possede appartient",
        "boss": "chef patron superieur superieure hierarchique manager n_1 directeur_direct",
        "lead": """
            dirige pilote chef_de_projet cheffe_de_projet responsable_du_projet directeur directrice
            dirigeant president_de
        """,
        "birthday": "anniversaire naissance ne_le nee_le date_de_naissance ne_en nee_en",
        "capital": "capitale",
        "ceo": "pdg directeur_general directrice_generale",
        "mayor": "maire",
        "founder": "fondateur fondatrice fonde fondee",
        "author": "auteur autrice",
        "branch": "branche",
        "region": "region",
        "spouse": "mari epouse conjoint conjointe epoux",
        "mother": "mere",
        "father": "pere",
        "blood": "groupe_sanguin",
        "cause": "cause raison causee provoque provoquee",
        "colour": "couleur peint peinte",
        "deadline": "echeance delai date_limite limite",
        "email": "courriel e_mail",
        "phone": "telephone portable",
        "headcount": "effectif personnes salaries employes collaborateurs participants membres",
        "length": "longueur distance long",
        "size": "taille",
        "weight": "poids masse pese",
        "height": "hauteur altitude haut",
        "width": "largeur large",
        "depth": "profondeur profond",
        "price": "solde reste montant valeur somme prix cout tarif coute loyer",
        "budget": "budget",
        "limit": """
            limite maximum maximale maximal capacite plafond minimum minimale seuil contenance
            charge_maximale jauge
        """,
        "disk": "disque stockage",
        "memory": "memoire",
        "duration": "periode temps duree dure",
        "latency": "latence temps_de_reponse",
        "rank": "rang classement place",
        "start": """
            rejoint arrive_en embauche_en arrivee_le prise_de_poste embauche debut commence demarrage
            ouverture ouvre debute lancement demarre
        """,
        "end": "fin finit expire expiration termine echeance se_termine fermeture",
        "release": "sortie publie publiee parution sort livraison",
        "arrive": "arrivee arrive visite viennent",
        "train": "train",
        "city": "ville",
        "status": "niveau statut etat resultat decision position",
        "address": "adresse",
        "default": "defaut par_defaut",
        "primary": "principal principale",
        "favourite": "prefere preferee favori favorite",
        "day": "quand annee mois dates jour date",
        "language": "langue langage",
        "timezone": "fuseau fuseau_horaire",
        "discount": "remise rabais reduction",
        "version": "version",
        "revenue": "chiffre_d_affaires recettes",
        "seat": "postes poste",
        "hq": "siege",
        "title": "metier profession",
        "age": "age",
        "doctor": "medecin medecin_traitant",
        "contact": "contact interlocuteur interlocutrice",
        "deputy": "adjoint adjointe suppleant",
        "room": "salle chambre",
        "customer": "client clients",
        "meeting": "reunion reunit",
        "supplier": "fournisseur",
        "birthplace": "origine originaire_de vient_de lieu_de_naissance",
        "payment": "paiement paie",
        "nationality": "nationalite",
        "currency": "devise monnaie",
        "insurer": "assureur",
        "winner": "gagnant vainqueur",
        "database": "base_de_donnees",
        "venue": "lieu",
        "teacher": "instituteur maitresse",
        "temperature": "temperature",
        "area": "superficie surface",
    },
    relations={
        "left_of": ("a_gauche_de", "a_droite_de"),
        "boss": (
            "rend_compte_a depend_de sous_les_ordres_de rapporte_a",
            "dirige encadre supervise manager_de chef_de responsable_de",
        ),
        "acquire": ("a_achete a_rachete rachete achete acquis", "rachete_par achete_par rachetee_par"),
        "prefer": ("prefere", ""),
        "before": ("avant devant precede", "apres derriere"),
        "teach": (
            "enseigne_a forme mentor_de tuteur_de tutrice_de professeur_de",
            "eleve_de forme_par stagiaire_de apprenti_de",
        ),
        "parent": ("pere_de mere_de", "fils_de fille_de"),
        "beat": ("bat a_battu battu vaincu", "battu_par perdu_contre"),
        "depend": ("appelle necessite", "appele_par"),
        "replace": ("remplace a_remplace succede_a", "remplace_par remplacee_par"),
        "north": ("au_nord_de", "au_sud_de"),
        "east": ("a_l_est_de", "a_l_ouest_de"),
        "above": ("au_dessus_de", "au_dessous_de"),
    },
)
