// SPDX-License-Identifier: Apache-2.0
// Everything a host needs.
#pragma once

#include <attache/agent.hpp>
#include <attache/descriptor.hpp>
#include <attache/error.hpp>
#include <attache/event.hpp>
#include <attache/host.hpp>
#include <attache/input.hpp>
#include <attache/message.hpp>
#include <attache/result.hpp>
#include <attache/source.hpp>
#include <attache/thread.hpp>
#include <attache/thread_store.hpp>
