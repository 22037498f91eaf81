#include "workers/card_queue.h"

#include <algorithm>

namespace optiml::workers {
namespace {

constexpr std::size_t kMostAttempts = 300;  // a busy card is asked every few seconds
constexpr std::size_t kSharedAttempts = 3;  // then a candidate is handed over alone

evaluation::Evaluation given_up() {
    evaluation::Evaluation evaluation;
    evaluation.is_inconclusive = true;
    evaluation.findings.push_back({evaluation::FindingKind::launch, "the card was busy, or lost by other candidates, time and again"});
    return evaluation;
}

}  // namespace

// The thread whose candidate is first in line takes it to a card, with those behind it; the others wait until theirs is through or first.
evaluation::Evaluation CardQueue::evaluate(std::string candidate) {
    Entry entry{.candidate = std::move(candidate), .since = clock_.now(), .evaluation = {}};
    std::unique_lock lock(mutex_);
    waiting_.push_back(&entry);
    while (!entry.evaluation) {
        const auto card = free_card();
        if (card && !waiting_.empty() && waiting_.front() == &entry) {
            carry(*card, lock);
        } else {
            changed_.wait(lock);
        }
    }
    return std::move(*entry.evaluation);
}

std::size_t CardQueue::waiting() const {
    const std::lock_guard lock(mutex_);
    return waiting_.size();
}

std::optional<std::size_t> CardQueue::free_card() const {
    const auto free = std::find(cards_.begin(), cards_.end(), Card::free);
    if (free == cards_.end()) return std::nullopt;
    return free - cards_.begin();
}

// What waits is spread over the cards that are free.
std::vector<CardQueue::Entry*> CardQueue::take() {
    const std::size_t free = static_cast<std::size_t>(std::count(cards_.begin(), cards_.end(), Card::free));
    const std::size_t share = (waiting_.size() + free - 1) / free;
    std::vector<Entry*> taken;
    do {
        taken.push_back(waiting_.front());
        waiting_.pop_front();
    } while (!waiting_.empty() && taken.size() < std::min(share, most_together_) && !taken.front()->alone && !waiting_.front()->alone);
    return taken;
}

void CardQueue::carry(std::size_t card, std::unique_lock<std::mutex>& lock) {
    const std::vector<Entry*> taken = take();
    cards_[card] = Card::busy;
    std::vector<const std::string*> candidates;
    for (const Entry* entry : taken) candidates.push_back(&entry->candidate);
    changed_.notify_all();  // somebody else is first in line now
    lock.unlock();
    const double began = clock_.now();
    std::vector<CardReply> replies = hand_(card, candidates);
    const double seconds = (clock_.now() - began) / static_cast<double>(taken.size());
    lock.lock();
    cards_[card] = Card::free;
    for (std::size_t i = taken.size(); i-- > 0;) {
        Entry& entry = *taken[i];
        if (!settle(entry, replies[i], card, taken.size())) {
            waiting_.push_front(&entry);
            continue;
        }
        entry.evaluation->stage_seconds["queue_device"] += began - entry.since;
        entry.evaluation->stage_seconds["device"] += seconds;
    }
    changed_.notify_all();
}

bool CardQueue::settle(Entry& entry, CardReply& reply, std::size_t card, std::size_t together) {
    ++entry.attempts;
    const bool ends = reply.kind == CardReply::Kind::done || (reply.kind == CardReply::Kind::alone && together == 1) ||
                      (reply.kind == CardReply::Kind::no_card && is_last(card));
    if (ends) {
        entry.evaluation = std::move(reply.evaluation);
        return true;
    }
    if (reply.kind == CardReply::Kind::no_card) cards_[card] = Card::gone;
    if (reply.kind == CardReply::Kind::alone || entry.attempts >= kSharedAttempts) entry.alone = true;
    if (entry.attempts >= kMostAttempts) entry.evaluation = given_up();
    return entry.evaluation.has_value();
}

bool CardQueue::is_last(std::size_t card) const {
    for (std::size_t i = 0; i < cards_.size(); ++i) {
        if (i != card && cards_[i] != Card::gone) return false;
    }
    return true;
}

}  // namespace optiml::workers
