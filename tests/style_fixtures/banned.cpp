#include <iostream>  // expect: banned-iostream
#include <regex>
#include <string>

// std::regex, system( and new in a comment are no matter: std::endl, atoi("1").
namespace fixture {

const char* const kText = "std::regex system(1) new int std::endl \" atoi(2) // no comment";
const char* const kRaw = R"(std::endl and "quotes" /* new int)";
const std::regex kPattern("a");  // expect: banned-regex

struct Shell {
    int status(int value) { return value; }
    int (*system)(int) = nullptr;
};

int run(Shell& shell) {
    shell.system(shell.status(1));
    std::cout << 1'000 << std::endl;  // expect: banned-endl
    return std::system("true");       // expect: banned-shell
}

int parse(const std::string& text) {
    return std::stoi(text) + atoi(text.c_str());  // expect: banned-number-parser
}

int* made() {
    alignas(int) static unsigned char place[sizeof(int)];
    int* here = new (place) int(1);
    int* there = new int(*here);  // expect: raw-new
    // allow(raw-new): the fixture shows an exception with its reason
    int* excused = new int(2);
    return there != nullptr ? excused : there;
}

int* unexcused() {
    // allow(raw-new):
    return new int(3);  // expect: raw-new
}

}  // namespace fixture
