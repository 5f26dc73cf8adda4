/// The expected outcomes of the 35 files of JSONTestSuite for which RFC 8259 permits either outcome.
package enum JSONTestSuiteChoices {
  /// By file name: `accept`, or the code and byte offset of the error.
  ///
  /// Numbers are kept as text, so their magnitude does not matter. Lone surrogates and ill-formed UTF-8 are rejected at
  /// their first byte. A byte order mark is skipped; UTF-16 is not supported.
  package static let all = [
    "i_number_double_huge_neg_exp.json": "accept", "i_number_huge_exp.json": "accept",
    "i_number_neg_int_huge_exp.json": "accept", "i_number_pos_double_huge_exp.json": "accept",
    "i_number_real_neg_overflow.json": "accept", "i_number_real_pos_overflow.json": "accept",
    "i_number_real_underflow.json": "accept", "i_number_too_big_neg_int.json": "accept",
    "i_number_too_big_pos_int.json": "accept", "i_number_very_big_negative_int.json": "accept",
    "i_object_key_lone_2nd_surrogate.json": "loneSurrogate@2",
    "i_string_1st_surrogate_but_2nd_missing.json": "loneSurrogate@2",
    "i_string_1st_valid_surrogate_2nd_invalid.json": "loneSurrogate@2",
    "i_string_UTF-16LE_with_BOM.json": "invalidUTF8@0", "i_string_UTF-8_invalid_sequence.json": "invalidUTF8@7",
    "i_string_UTF8_surrogate_U+D800.json": "invalidUTF8@2",
    "i_string_incomplete_surrogate_and_escape_valid.json": "loneSurrogate@2",
    "i_string_incomplete_surrogate_pair.json": "loneSurrogate@2",
    "i_string_incomplete_surrogates_escape_valid.json": "loneSurrogate@2",
    "i_string_invalid_lonely_surrogate.json": "loneSurrogate@2", "i_string_invalid_surrogate.json": "loneSurrogate@2",
    "i_string_invalid_utf-8.json": "invalidUTF8@2", "i_string_inverted_surrogates_U+1D11E.json": "loneSurrogate@2",
    "i_string_iso_latin_1.json": "invalidUTF8@2", "i_string_lone_second_surrogate.json": "loneSurrogate@2",
    "i_string_lone_utf8_continuation_byte.json": "invalidUTF8@2", "i_string_not_in_unicode_range.json": "invalidUTF8@2",
    "i_string_overlong_sequence_2_bytes.json": "invalidUTF8@2",
    "i_string_overlong_sequence_6_bytes.json": "invalidUTF8@2",
    "i_string_overlong_sequence_6_bytes_null.json": "invalidUTF8@2", "i_string_truncated-utf-8.json": "invalidUTF8@2",
    "i_string_utf16BE_no_BOM.json": "unexpectedByte@0", "i_string_utf16LE_no_BOM.json": "unexpectedByte@1",
    "i_structure_500_nested_arrays.json": "accept", "i_structure_UTF-8_BOM_empty_object.json": "accept",
  ]
}
