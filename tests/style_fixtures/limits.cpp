// limits: file=20,90 function=6,9 nesting=2,3  // expect: file-length
#include <map>
#include <string>
#include <vector>

namespace fixture {

int short_enough(int a) {
    return a;
}

int warned(int a) {  // expect: function-length
    const int b = a + 1;
    const int c = b + 1;
    const int d = c + 1;
    const int e = d + 1;
    return e;
}

const std::map<std::string, std::vector<int>> kTable = {
    {"{", {1, 2}},
    {"}", {3, 4}},
};

struct Holder {
    explicit Holder(std::vector<int> values)
        : values_{std::move(values)}, count_{static_cast<int>(values_.size())} {}

    int count() const noexcept { return count_; }
    auto begin() const -> std::vector<int>::const_iterator { return values_.begin(); }

    std::vector<int> values_;
    int count_ = 0;
};

int nested(const std::vector<int>& values) {  // expect: nesting, function-length
    for (const int value : values) {
        if (value > 0) {
            while (value < 3) {
                const std::vector<int> none{value, value};
                return none[0];
            }
        }
    }
    return 0;
}

int lambdas(const std::vector<int>& values) {  // expect: function-length
    const auto twice = [&values](int at) -> int { return 2 * values[static_cast<std::size_t>(at)]; };
    switch (values.size()) {
        case 1: {
            return twice(0);
        }
        default:
            return 0;
    }
}

}  // namespace fixture
