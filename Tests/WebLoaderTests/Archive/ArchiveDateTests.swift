import Testing
import WebArchive
import WebStandards

struct ArchiveDateTests {
    @Test(
        arguments: [
            ("2021", "2021-01-01T00:00:00Z"), ("2021-03", "2021-03-01T00:00:00Z"),
            ("2021-03-04", "2021-03-04T00:00:00Z"),
            ("2021-03-04T05:06Z", "2021-03-04T05:06:00Z"), ("2021-03-04T05:06:07Z", "2021-03-04T05:06:07Z"),
            ("2021-03-04T05:06:07.123456789Z", "2021-03-04T05:06:07Z"),
            ("2021-03-04T05:06:07+01:00", "2021-03-04T04:06:07Z"),
            ("2021-03-04T05:06:07", "2021-03-04T05:06:07Z"), ("20210304050607", "2021-03-04T05:06:07Z"),
            ("20210304050607999", "2021-03-04T05:06:07Z"), ("2020-02-29", "2020-02-29T00:00:00Z"),
        ]
    )
    func readsDates(text: String, expected: String) {
        #expect(Timestamp(archiveDate: text)?.text == expected)
    }

    @Test func keepsMilliseconds() {
        let date = Timestamp(archiveDate: "1970-01-01T00:00:01.2345Z")
        #expect(date?.millisecondsSince1970 == 1234)
        #expect(Timestamp(archiveDate: "19700101000001234")?.millisecondsSince1970 == 1234)
    }

    @Test(
        arguments: [
            "", "yesterday", "2021-13", "2021-02-30", "2021-02-29", "20210", "2021-03-04T25:00Z",
            "2021-03-04T05:06:07.Z",
            "2021-03-04T05:06:07Zx", "123456789012345678", "-2021",
        ]
    )
    func othersAreNoDates(text: String) {
        #expect(Timestamp(archiveDate: text) == nil)
    }
}
