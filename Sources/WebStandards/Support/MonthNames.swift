/// The names of months in the languages that pages are written in, whole and short, in the cases that dates have them.
package enum MonthNames {
    /// For each month its names, in lower case: of English, German, French, Spanish, Portuguese, Italian, Dutch,
    /// Polish, Russian, Ukrainian, Turkish, Swedish, Danish, Norwegian, Finnish, Czech, Slovak, Hungarian, Romanian,
    /// Catalan, Indonesian, Bulgarian, Greek, Arabic, Persian, Hebrew and Hindi.
    ///
    /// Left out is what is a usual word of another language, as the Czech short names of January, April and December.
    private static let table: [StaticString] = [
        """
        january jan januar jänner janvier janv enero ene janeiro gennaio gen januari styczeń stycznia sty январь \
        января янв січень січня січ ocak oca tammikuu tammikuuta leden ledna január januára ianuarie ian gener \
        януари ιανουάριος ιανουαρίου ιαν يناير جانفي ژانویه ינואר जनवरी
        """,
        """
        february feb febr februar feber février fevrier févr fév febrero fevereiro fev febbraio februari luty \
        lutego lut февраль февраля фев февр лютий лютого лют şubat şub subat helmikuu helmikuuta únor února úno \
        február februára februarie febrer pebruari февруари φεβρουάριος φεβρουαρίου φεβ فبراير شباط \
        فيفري فوریه פברואר फरवरी फ़रवरी
        """,
        """
        march mar märz maerz mär mrz mars marzo março marco maart mrt marzec marca marz март марта мар березень \
        березня бер mart maaliskuu maaliskuuta březen března bře marec március márc martie març maret marts \
        μάρτιος μαρτίου μαρ مارس آذار מרץ מרס मार्च
        """,
        """
        april apr avril avr abril abr aprile kwiecień kwietnia kwi апрель апреля апр квітень квітня квіт nisan nis \
        huhtikuu huhtikuuta duben dubna apríl apríla április ápr aprilie април απρίλιος απριλίου απρ أبريل إبريل \
        ابريل نيسان أفريل آوریل אפריל अप्रैल
        """,
        """
        may mai mayo maio maggio mag mei maj maja май мая травень травня трав mayıs mayis toukokuu toukokuuta \
        květen května kvě máj mája május maig μάιος μαΐου μαΐ μάϊος مايو أيار ماي מאי मई
        """,
        """
        june jun juni juin junio junho giugno giu czerwiec czerwca cze июнь июня июн червень червня черв haziran \
        haz kesäkuu kesäkuuta červen června čvn jún júna június iunie juny юни ιούνιος ιουνίου ιουν يونيو يونيه \
        حزيران جوان ژوئن יוני जून
        """,
        """
        july jul juli juillet juil julio julho luglio lug lipiec lipca lip июль июля июл липень липня temmuz tem \
        heinäkuu heinäkuuta červenec července čvc júl júla július iulie juliol юли ιούλιος ιουλίου ιουλ يوليو \
        يوليه تموز جويلية ژوئیه יולי जुलाई
        """,
        """
        august aug août aout agosto ago augustus augusti sierpień sierpnia sie август августа авг серпень серпня \
        серп ağustos ağu agustos elokuu elokuuta srpen srpna srp augusta augusztus agost agustus αύγουστος αυγούστου \
        αυγ أغسطس اغسطس آب أوت اوت אוגוסט अगस्त
        """,
        """
        september sep sept septembre septiembre setiembre setembro set settembre wrzesień września wrz сентябрь \
        сентября сен сент вересень вересня вер eylül eyl syyskuu syyskuuta září zář septembra szeptember szept \
        septembrie setembre септември σεπτέμβριος σεπτεμβρίου σεπ سبتمبر أيلول سپتامبر ספטמבר सितंबर सितम्बर
        """,
        """
        october oct oktober okt octobre octubre outubro out ottobre ott październik października paź октябрь \
        октября окт жовтень жовтня жовт ekim eki lokakuu lokakuuta říjen října říj október októbra octombrie \
        октомври οκτώβριος οκτωβρίου οκτ أكتوبر اكتوبر اکتبر אוקטובר अक्टूबर अक्तूबर
        """,
        """
        november nov novembre noviembre novembro listopad listopada listopadu lis ноябрь ноября ноя нояб листопад \
        листопада лист kasım kasim kas marraskuu marraskuuta novembra noiembrie noi ноември νοέμβριος νοεμβρίου νοε \
        نوفمبر نوامبر נובמבר नवंबर नवम्बर
        """,
        """
        december dec dezember dez décembre decembre déc diciembre dic dezembro dicembre grudzień grudnia gru декабрь \
        декабря дек грудень грудня груд aralık aralik ara joulukuu joulukuuta prosinec prosince decembra decembrie \
        desembre desember des декември δεκέμβριος δεκεμβρίου δεκ ديسمبر دسامبر דצמבר दिसंबर दिसम्बर
        """,
    ]

    private static let numbers: [String: Int] = {
        var numbers: [String: Int] = [:]
        for (index, names) in table.enumerated() {
            for name in names.words { numbers[name] = index + 1 }
        }
        return numbers
    }()

    /// The number of a month, from 1 for January, by its name in lower case; `nil` if no month has the name.
    package static func month(_ word: String) -> Int? { numbers[word] }
}
