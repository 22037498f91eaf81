#pragma once
// Candidates that wait for a card. Whichever card is free takes what waits, several together if there are several: on the card some costs
// are then paid once for all of them. Nobody waits for candidates that have not come yet.

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "evaluation/evaluation.h"

namespace optiml::workers {

// What came of one candidate that a card was handed.
struct CardReply {
    enum class Kind : std::uint8_t {
        done,
        again,    // not the candidate's doing: another lost the card before it was through, or another run has the card
        alone,    // all of them failed together, perhaps on another's account: to be handed over by itself
        no_card,  // the card has no worker and gets none
    };
    Kind kind = Kind::done;
    evaluation::Evaluation evaluation;  // unless `again`: in the other cases what is said if nothing else can be done
};

class CardQueue {
public:
    // Called by one thread at a time for each card; gives a reply for each of the candidates, in their order.
    using Hand = std::function<std::vector<CardReply>(std::size_t card, const std::vector<const std::string*>& candidates)>;

    CardQueue(std::size_t cards, std::size_t most_together, Hand hand) : most_together_(most_together), hand_(std::move(hand)), cards_(cards, Card::free) {}
    CardQueue(const CardQueue&) = delete;
    CardQueue& operator=(const CardQueue&) = delete;

    // Waits for the candidate's turn and for what comes of it; thread-safe. The evaluation's stages tell how long it waited
    // ("queue_device") and its share of the time that the card took ("device").
    evaluation::Evaluation evaluate(std::string candidate);
    // Candidates that no card has taken yet.
    std::size_t waiting() const;

private:
    enum class Card : std::uint8_t { free, busy, gone };
    struct Entry {
        std::string candidate;
        double since = 0;
        std::size_t attempts = 0;
        bool alone = false;
        std::optional<evaluation::Evaluation> evaluation;
    };

    std::optional<std::size_t> free_card() const;
    std::vector<Entry*> take();
    void carry(std::size_t card, std::unique_lock<std::mutex>& lock);
    // False: it is to wait once more.
    bool settle(Entry& entry, CardReply& reply, std::size_t card, std::size_t together);
    bool is_last(std::size_t card) const;

    const std::size_t most_together_;
    const Hand hand_;
    const SteadyClock clock_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Card> cards_;
    std::deque<Entry*> waiting_;
};

}  // namespace optiml::workers
