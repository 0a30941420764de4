#include "base/code_points.h"

#include <algorithm>
#include <array>
#include <iterator>

// A terminal knows nothing about fonts: it gives each code point 0, 1 or 2 cells by the tables of
// the Unicode Standard. Wide are those with East_Asian_Width W or F (UAX #11), which since Unicode 9
// includes every emoji that is shown in colour by default. "Ambiguous" ones (→ · … “ ” ●) take one
// cell in all terminals that run in a UTF-8 locale and were not told otherwise. Zero are the marks of
// General_Category Mn and Me and the invisible format characters; of the marks, only those of scripts
// that turn up in logs are listed, the others count 1 and cost at most a ragged edge.
// Unassigned code points inside a block of wide characters count as wide, as UAX #11 advises.

namespace whygpu {

namespace {

struct Range {
    char32_t first;
    char32_t last;
};

constexpr Range wide_ranges[] = {
    {0x1100, 0x115F},                                            // Hangul Jamo, leading
    {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},    // watches, brackets, arrows
    {0x23F0, 0x23F0},   {0x23F3, 0x23F3},   {0x25FD, 0x25FE},    //
    {0x2614, 0x2615},   {0x2648, 0x2653},   {0x267F, 0x267F},    // emoji among the symbols
    {0x2693, 0x2693},   {0x26A1, 0x26A1},   {0x26AA, 0x26AB},    //
    {0x26BD, 0x26BE},   {0x26C4, 0x26C5},   {0x26CE, 0x26CE},    //
    {0x26D4, 0x26D4},   {0x26EA, 0x26EA},   {0x26F2, 0x26F3},    //
    {0x26F5, 0x26F5},   {0x26FA, 0x26FA},   {0x26FD, 0x26FD},    //
    {0x2705, 0x2705},   {0x270A, 0x270B},   {0x2728, 0x2728},    // emoji among the dingbats
    {0x274C, 0x274C},   {0x274E, 0x274E},   {0x2753, 0x2755},    //
    {0x2757, 0x2757},   {0x2795, 0x2797},   {0x27B0, 0x27B0},    //
    {0x27BF, 0x27BF},   {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},    //
    {0x2B55, 0x2B55},                                            //
    {0x2E80, 0x303E},                                            // radicals, CJK punctuation
    {0x3041, 0x3247},                                            // kana, Bopomofo, Jamo
    {0x3250, 0x4DBF},                                            // enclosed CJK, extension A
    {0x4E00, 0xA4CF},                                            // CJK ideographs, Yi
    {0xA960, 0xA97F},   {0xAC00, 0xD7A3},                        // Hangul
    {0xF900, 0xFAFF},   {0xFE10, 0xFE19},   {0xFE30, 0xFE6F},    // compatibility forms
    {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},                        // fullwidth forms
    {0x16FE0, 0x18DFF},                                          // Tangut, Khitan
    {0x1AFF0, 0x1B2FF},                                          // more kana, Nushu
    {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F18E},  //
    {0x1F191, 0x1F19A}, {0x1F200, 0x1F320},                      // squared CJK, weather
    {0x1F32D, 0x1F335}, {0x1F337, 0x1F37C}, {0x1F37E, 0x1F393},  // pictographs
    {0x1F3A0, 0x1F3CA}, {0x1F3CF, 0x1F3D3}, {0x1F3E0, 0x1F3F0},  //
    {0x1F3F4, 0x1F3F4}, {0x1F3F8, 0x1F43E}, {0x1F440, 0x1F440},  //
    {0x1F442, 0x1F4FC}, {0x1F4FF, 0x1F53D}, {0x1F54B, 0x1F54E},  //
    {0x1F550, 0x1F567}, {0x1F57A, 0x1F57A}, {0x1F595, 0x1F596},  //
    {0x1F5A4, 0x1F5A4}, {0x1F5FB, 0x1F64F}, {0x1F680, 0x1F6C5},  // faces, transport
    {0x1F6CC, 0x1F6CC}, {0x1F6D0, 0x1F6D2}, {0x1F6D5, 0x1F6DF},  //
    {0x1F6EB, 0x1F6EF}, {0x1F6F4, 0x1F6FF}, {0x1F7E0, 0x1F7F0},  //
    {0x1F90C, 0x1F93A}, {0x1F93C, 0x1F945}, {0x1F947, 0x1F9FF},  // later emoji
    {0x1FA70, 0x1FAFF},                                          //
    {0x20000, 0x3FFFD},                                          // ideographic planes
};

constexpr Range zero_ranges[] = {
    {0x0300, 0x036F},   {0x0483, 0x0489},                                      // Latin, Greek, Cyrillic
    {0x0591, 0x05BD},   {0x05BF, 0x05BF}, {0x05C1, 0x05C2}, {0x05C4, 0x05C5},  // Hebrew
    {0x05C7, 0x05C7},                                                          //
    {0x0610, 0x061A},   {0x064B, 0x065F}, {0x0670, 0x0670}, {0x06D6, 0x06DC},  // Arabic
    {0x06DF, 0x06E4},   {0x06E7, 0x06E8}, {0x06EA, 0x06ED},                    //
    {0x0900, 0x0902},   {0x093A, 0x093A}, {0x093C, 0x093C}, {0x0941, 0x0948},  // Devanagari
    {0x094D, 0x094D},   {0x0951, 0x0957}, {0x0962, 0x0963},                    //
    {0x0E31, 0x0E31},   {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E},                    // Thai
    {0x1160, 0x11FF},                                                          // Jamo inside a syllable
    {0x1AB0, 0x1ACE},   {0x1DC0, 0x1DFF},                                      // more combining marks
    {0x200B, 0x200F},   {0x202A, 0x202E}, {0x2060, 0x206F},                    // joiners, directions
    {0x20D0, 0x20F0},                                                          // marks for symbols
    {0x302A, 0x302D},   {0x3099, 0x309A},                                      // tone and voicing marks
    {0xFE00, 0xFE0F},   {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF},                    // variation selectors, BOM
    {0xE0001, 0xE01EF},                                                        // tags, more selectors
};

template <std::size_t count>
bool is_in(const Range (&ranges)[count], char32_t value) {
    const Range* found = std::upper_bound(std::begin(ranges), std::end(ranges), value,
                                          [](char32_t v, const Range& range) { return v < range.first; });
    return found != std::begin(ranges) && value <= std::prev(found)->last;
}

/// What the first byte of a sequence says: its length and the smallest code point that needs it.
struct Lead {
    std::size_t bytes;
    char32_t bits;
    char32_t smallest;
};

Lead lead_of(unsigned char byte) {
    if (byte < 0x80) {
        return {1, byte, 0};
    }
    if (byte >= 0xC2 && byte <= 0xDF) {
        return {2, byte & 0x1FU, 0x80};
    }
    if (byte >= 0xE0 && byte <= 0xEF) {
        return {3, byte & 0x0FU, 0x800};
    }
    if (byte >= 0xF0 && byte <= 0xF4) {
        return {4, byte & 0x07U, 0x10000};
    }
    return {0, 0, 0};
}

}  // namespace

CodePoint code_point_at(std::string_view text, std::size_t at) {
    const unsigned char first = static_cast<unsigned char>(text[at]);
    const CodePoint invalid = {first, 1, false};
    const Lead lead = lead_of(first);
    if (lead.bytes == 0 || text.size() - at < lead.bytes) {
        return invalid;
    }
    char32_t value = lead.bits;
    for (std::size_t i = 1; i < lead.bytes; ++i) {
        const unsigned char next = static_cast<unsigned char>(text[at + i]);
        if ((next & 0xC0U) != 0x80U) {
            return invalid;
        }
        value = (value << 6U) | (next & 0x3FU);
    }
    const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
    if (value < lead.smallest || value > 0x10FFFF || surrogate) {
        return invalid;
    }
    return {value, lead.bytes, true};
}

bool is_wide(char32_t value) {
    return is_in(wide_ranges, value) && !is_in(zero_ranges, value);
}

bool is_zero_width(char32_t value) {
    return is_in(zero_ranges, value);
}

int width_of(char32_t value) {
    if (value < 0x300) {
        return 1;
    }
    if (is_zero_width(value)) {
        return 0;
    }
    return is_wide(value) ? 2 : 1;
}

}  // namespace whygpu
