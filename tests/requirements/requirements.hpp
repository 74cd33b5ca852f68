// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace attache::test {

/// "Suite.Name" of every test that is built below a directory: in a source that the CMakeLists.txt beside it names.
std::set<std::string> tests_below(const std::string& directory);

/// What is wrong with a page of requirements: rows that name no test, and named tests that are not among `tests`.
/// `rows` is set to the number of rows. The tables of deviations and of cases of later issues name none.
std::vector<std::string> faults_of(std::string_view page, const std::set<std::string>& tests, std::size_t& rows);

/// Which of the 82 field cases have not exactly one row with something in its second and third columns, and rows that
/// are of no case, that name tests but none with the id of the case in its name, or that name neither test nor issue.
std::vector<std::string> case_faults_of(std::string_view page);

}  // namespace attache::test
