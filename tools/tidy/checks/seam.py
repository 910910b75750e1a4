"""Atomics, threads, locks, clocks and chance come only through filch/base, where a test build can swap them."""

import re

HEADERS = {"atomic", "thread", "mutex", "condition_variable", "chrono", "random", "shared_mutex", "semaphore", "barrier",
           "latch",
           "stop_token", "future", "ctime", "time.h", "threads.h", "stdatomic.h"}
NAMES = re.compile(
    r"\bstd::(?:atomic\w*|j?thread|this_thread|(?:recursive_|timed_|shared_|recursive_timed_)*mutex|condition_variable\w*"
    r"|counting_semaphore|binary_semaphore|barrier|latch|future|shared_future|promise|async|call_once"
    r"|random_device|mt19937\w*|rand)\b"
    r"|\b(?:steady_clock|system_clock|high_resolution_clock)\b"
    r"|\b(?:clock_gettime|gettimeofday|timespec_get|nanosleep|clock_nanosleep|usleep|_?_rdtscp?|__builtin_ia32_rdtscp?"
    r"|__builtin_readcyclecounter|pthread_create)\s*\(|\bSYS_futex\b")
ORDERS = re.compile(r"\b(?:std::)?memory_order(?:_|::)(?:relaxed|consume|acquire|release|acq_rel|seq_cst)\b")
FENCE = re.compile(r"\b(?:atomic_thread_fence|__atomic_thread_fence|__sync_synchronize)\b")
MUTED = re.compile(r"\b(?:no_sanitize\w*|__no_sanitize\w*|disable_sanitizer_instrumentation)\b")
MUTED_BUILD = re.compile(r"-fsanitize-(?:ignorelist|blacklist)\b|\b[A-Z]SAN_OPTIONS\b[^\n]*suppressions")

# The room that wraps them, and the model checkers, which are another machine behind the same seam.
BEHIND_THE_SEAM = ("filch/base/", "filch/testing/model/")
# Where orders get their names, and the pair of fences.
NAMES_ORDERS = ("filch/base/order.hpp", "filch/base/membarrier.hpp")


def check(tree, report):
    for file in tree.cpp_files:
        in_base = file.path.startswith(BEHIND_THE_SEAM)
        if file.in_library and not in_base and not file.is_test:
            check_shipped(file, report)
        if file.path.startswith("filch/base/") and file.path not in NAMES_ORDERS and not file.is_test:
            check_orders(file, report)
        if not in_base and file.room != "bench":
            find_all(FENCE, file, report, "`{}` is a standalone fence, which the thread sanitizer does not see.",
                     "hand data over with release/acquire of an atomic, or use the light/heavy pair of base/sync.hpp.")
        find_all(MUTED, file, report, "`{}` mutes a sanitizer.", "fix the race; a muted report hides the next one too.")
    for file in tree.files.values():
        if file.pure.suffix == ".supp" or ("suppressions" in file.pure.name and not file.is_cpp):
            report.find(file.path, 1, "a suppression file mutes a sanitizer.", "fix what it hides and delete the file.")
        if file.is_cmake:
            for match in MUTED_BUILD.finditer(re.sub(r"#[^\n]*", "", file.text)):
                report.find(file.path, file.line_of(match.start()), f"`{match[0]}` mutes a sanitizer.", "fix what it hides.")


def check_shipped(file, report):
    for line, header, _ in file.includes:
        if header in HEADERS:
            report.find(file.path, line, f"<{header}> belongs to filch/base.",
                        "include the header of filch/base that wraps it, so that a test build can swap it.")
    find_all(NAMES, file, report, "`{}` goes past filch/base.",
             "use or add the wrapper in filch/base, so that a test build can swap it.")
    check_orders(file, report)


def check_orders(file, report):
    find_all(ORDERS, file, report, "`{}` is an order without a name.",
             "name the edge, as in `release<edge::publish>` of base/order.hpp, or write `relaxed`.")


def find_all(pattern, file, report, message, instead):
    for match in pattern.finditer(file.code):
        report.find(file.path, file.line_of(match.start()), message.format(match[0].rstrip("( ")), instead)
