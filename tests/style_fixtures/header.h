#include <string>  // expect: pragma-once

using namespace std;  // expect: using-namespace

namespace fixture {

class Forward;
enum class Colour : int;

/// Documented.
int documented(int a, const std::string& b = "{", int c = 3);
int same_paragraph(int a);

int alone(int a);  // A word at the end of the line is a contract too.

int bare(int a,  // expect: header-contract
         int b);

struct Fields {
    int a = 0;  ///< what it holds
};

struct Plain {  // expect: header-contract
    int a = 0;
};

enum class Signal { stop, go };  // expect: header-contract

template <class T>  // expect: header-contract
T inline_function(T value) {
    return value + 1;
}

/// Documented.
template <class T>
class Box : public std::basic_string<T> {
public:
    explicit Box(T value) : value_{value}, other_(value) {}

    T value() const { return value_; }

private:
    T value_;
    T other_;
};

template <class T>  // expect: header-contract
inline T Box_twice(const Box<T>& box) {
    return box.value() * 2;
}

constexpr int kTable[] = {1, 2, 3};  // expect: header-contract

}  // namespace fixture
