/** What each event makes of each state of a sale at a terminal that authorises by itself. */

/** state | event | what it becomes | what is done now. Cases not here are refused. */
export const cases = `
noting                    | noted                  | paying                                         | payAtTerminal
noting                    | noted, other           | paying                                         | payAtTerminal
noting                    | unready                | notSent terminalFailed                         |
noting                    | cancelAsked            | noting, cancelled                              |
noting                    | restarted              | notSent restarted                              |
noting, cancelled         | noted                  | notSent cancelledByTill                        |
noting, cancelled         | noted, other           | notSent cancelledByTill                        |
noting, cancelled         | unready                | notSent cancelledByTill                        |
noting, cancelled         | restarted              | notSent restarted                              |
noting refund             | noted                  | paying                                         | payAtTerminal
noting refund             | noted, other           | paying                                         | payAtTerminal
noting refund             | unready                | notSent terminalFailed                         |
noting refund             | cancelAsked            | noting, cancelled                              |
noting refund             | restarted              | notSent restarted                              |
noting reversal           | noted                  | paying                                         | payAtTerminal
noting reversal           | noted, other           | notSent otherTerminal                          |
noting reversal           | unready                | notSent terminalFailed                         |
noting reversal           | cancelAsked            | noting, cancelled                              |
noting reversal           | restarted              | notSent restarted                              |
paying                    | approved               | approved approved                              |
paying                    | approved, other        | declined approvedOtherAmount, reversal due     | reverseAtTerminal
paying                    | declined               | declined declinedAtTerminal                    |
paying                    | declined, bare         | declined declinedAtTerminal                    |
paying                    | declined, done already | declined declinedAtTerminal                    |
paying                    | notBegun               | notSent notBegunAtTerminal                     |
paying                    | silent                 | asking 1                                       | askTerminal
paying                    | cancelAsked            | paying, cancelled                              | cancelAtTerminal
paying                    | restarted              | unknown unansweredAtTerminal                   |
paying, cancelled         | approved               | declined cancelledAfterApproval, reversal due  | reverseAtTerminal
paying, cancelled         | approved, other        | declined approvedOtherAmount, reversal due     | reverseAtTerminal
paying, cancelled         | declined               | declined cancelledByTill                       |
paying, cancelled         | declined, bare         | declined cancelledByTill                       |
paying, cancelled         | declined, done already | declined cancelledByTill                       |
paying, cancelled         | notBegun               | notSent cancelledByTill                        |
paying, cancelled         | silent                 | asking 1, cancelled                            | askTerminal
paying, cancelled         | restarted              | unknown unansweredAtTerminal, cancelled        |
paying refund             | approved               | approved refunded                              |
paying refund             | approved, other        | unknown refundedOtherAmount, for a person      |
paying refund             | declined               | declined declinedAtTerminal                    |
paying refund             | declined, bare         | declined declinedAtTerminal                    |
paying refund             | declined, done already | declined declinedAtTerminal                    |
paying refund             | notBegun               | notSent notBegunAtTerminal                     |
paying refund             | silent                 | asking 1                                       | askTerminal
paying refund             | cancelAsked            | paying, cancelled                              | cancelAtTerminal
paying refund             | restarted              | unknown unansweredAtTerminal                   |
paying reversal           | approved               | approved reversedAtTerminal                    |
paying reversal           | approved, other        | unknown refundedOtherAmount, for a person      |
paying reversal           | declined               | declined reversalDeclined                      |
paying reversal           | declined, bare         | declined reversalDeclined                      |
paying reversal           | declined, done already | approved reversedAtTerminal                    |
paying reversal           | notBegun               | notSent notBegunAtTerminal                     |
paying reversal           | silent                 | asking 1                                       | askTerminal
paying reversal           | restarted              | unknown unansweredAtTerminal                   |
asking                    | approved               | approved approved                              |
asking                    | approved, other        | declined approvedOtherAmount, reversal due     | reverseAtTerminal
asking                    | declined               | declined declinedAtTerminal                    |
asking                    | declined, bare         | declined declinedAtTerminal                    |
asking                    | declined, done already | declined declinedAtTerminal                    |
asking                    | notBegun               | notSent notBegunAtTerminal                     |
asking                    | unchanged              | notSent neverMade, to confirm                  |
asking                    | unclear                | unknown unclearAtTerminal, for a person        |
asking                    | silent                 | asking 2                                       | askTerminal
asking                    | cancelAsked            | asking 1, cancelled                            |
asking                    | restarted              | unknown unansweredAtTerminal                   |
asking, first of the day  | approved               | approved approved                              |
asking, first of the day  | approved, other        | declined approvedOtherAmount, reversal due     | reverseAtTerminal
asking, first of the day  | declined               | declined declinedAtTerminal                    |
asking, first of the day  | declined, bare         | declined declinedAtTerminal                    |
asking, first of the day  | declined, done already | declined declinedAtTerminal                    |
asking, first of the day  | notBegun               | notSent notBegunAtTerminal                     |
asking, first of the day  | unchanged              | asking 2                                       | askTerminal
asking, first of the day  | unclear                | unknown unclearAtTerminal, for a person        |
asking, first of the day  | silent                 | asking 2                                       | askTerminal
asking, first of the day  | cancelAsked            | asking 1, cancelled                            |
asking, first of the day  | restarted              | unknown unansweredAtTerminal                   |
asking, cancelled         | approved               | declined cancelledAfterApproval, reversal due  | reverseAtTerminal
asking, cancelled         | approved, other        | declined approvedOtherAmount, reversal due     | reverseAtTerminal
asking, cancelled         | declined               | declined cancelledByTill                       |
asking, cancelled         | declined, bare         | declined cancelledByTill                       |
asking, cancelled         | declined, done already | declined cancelledByTill                       |
asking, cancelled         | notBegun               | notSent cancelledByTill                        |
asking, cancelled         | unchanged              | notSent cancelledByTill, to confirm            |
asking, cancelled         | unclear                | unknown unclearAtTerminal, for a person        |
asking, cancelled         | silent                 | asking 2, cancelled                            | askTerminal
asking, cancelled         | restarted              | unknown unansweredAtTerminal, cancelled        |
asking, last time         | approved               | approved approved                              |
asking, last time         | approved, other        | declined approvedOtherAmount, reversal due     | reverseAtTerminal
asking, last time         | declined               | declined declinedAtTerminal                    |
asking, last time         | declined, bare         | declined declinedAtTerminal                    |
asking, last time         | declined, done already | declined declinedAtTerminal                    |
asking, last time         | notBegun               | notSent notBegunAtTerminal                     |
asking, last time         | unchanged              | notSent neverMade, to confirm                  |
asking, last time         | unclear                | unknown unclearAtTerminal, for a person        |
asking, last time         | silent                 | unknown unansweredAtTerminal                   |
asking, last time         | cancelAsked            | asking 5, cancelled                            |
asking, last time         | restarted              | unknown unansweredAtTerminal                   |
asking refund             | approved               | approved refunded                              |
asking refund             | approved, other        | unknown refundedOtherAmount, for a person      |
asking refund             | declined               | declined declinedAtTerminal                    |
asking refund             | declined, bare         | declined declinedAtTerminal                    |
asking refund             | declined, done already | declined declinedAtTerminal                    |
asking refund             | notBegun               | notSent notBegunAtTerminal                     |
asking refund             | unchanged              | notSent neverMade, to confirm                  |
asking refund             | unclear                | unknown unclearAtTerminal, for a person        |
asking refund             | silent                 | asking 2                                       | askTerminal
asking refund             | cancelAsked            | asking 1, cancelled                            |
asking refund             | restarted              | unknown unansweredAtTerminal                   |
asking reversal           | approved               | approved reversedAtTerminal                    |
asking reversal           | approved, other        | unknown refundedOtherAmount, for a person      |
asking reversal           | declined               | unknown unclearAtTerminal, for a person        |
asking reversal           | declined, bare         | unknown unclearAtTerminal, for a person        |
asking reversal           | declined, done already | approved reversedAtTerminal                    |
asking reversal           | notBegun               | asking 2                                       | askTerminal
asking reversal           | unclear                | unknown unclearAtTerminal, for a person        |
asking reversal           | silent                 | asking 2                                       | askTerminal
asking reversal           | restarted              | unknown unansweredAtTerminal                   |
unknown                   | approved               | approved approved                              |
unknown                   | approved, other        | declined approvedOtherAmount, reversal due     | reverseAtTerminal
unknown                   | declined               | declined declinedAtTerminal                    |
unknown                   | declined, bare         | unknown unclearAtTerminal, for a person        |
unknown                   | declined, done already | unknown unclearAtTerminal, for a person        |
unknown                   | notBegun               | unknown unclearAtTerminal, for a person        |
unknown                   | unchanged              | notSent neverMade, to confirm                  |
unknown                   | unclear                | unknown unclearAtTerminal, for a person        |
unknown                   | charged                | approved approved                              |
unknown                   | not charged            | notSent personSaidNot                          |
unknown, cancelled        | approved               | declined cancelledAfterApproval, reversal due  | reverseAtTerminal
unknown, cancelled        | approved, other        | declined approvedOtherAmount, reversal due     | reverseAtTerminal
unknown, cancelled        | declined               | declined cancelledByTill                       |
unknown, cancelled        | declined, bare         | unknown unclearAtTerminal, for a person        |
unknown, cancelled        | declined, done already | unknown unclearAtTerminal, for a person        |
unknown, cancelled        | notBegun               | unknown unclearAtTerminal, for a person        |
unknown, cancelled        | unchanged              | notSent cancelledByTill, to confirm            |
unknown, cancelled        | unclear                | unknown unclearAtTerminal, for a person        |
unknown, cancelled        | charged                | approved approved                              |
unknown, cancelled        | not charged            | notSent personSaidNot                          |
unknown, first of the day | approved               | approved approved                              |
unknown, first of the day | approved, other        | declined approvedOtherAmount, reversal due     | reverseAtTerminal
unknown, first of the day | declined               | declined declinedAtTerminal                    |
unknown, first of the day | declined, bare         | unknown unclearAtTerminal, for a person        |
unknown, first of the day | declined, done already | unknown unclearAtTerminal, for a person        |
unknown, first of the day | notBegun               | unknown unclearAtTerminal, for a person        |
unknown, first of the day | unchanged              | unknown unclearAtTerminal, for a person        |
unknown, first of the day | unclear                | unknown unclearAtTerminal, for a person        |
unknown, first of the day | charged                | approved approved                              |
unknown, first of the day | not charged            | notSent personSaidNot                          |
unknown refund            | approved               | approved refunded                              |
unknown refund            | approved, other        | unknown refundedOtherAmount, for a person      |
unknown refund            | declined               | declined declinedAtTerminal                    |
unknown refund            | declined, bare         | unknown unclearAtTerminal, for a person        |
unknown refund            | declined, done already | unknown unclearAtTerminal, for a person        |
unknown refund            | notBegun               | unknown unclearAtTerminal, for a person        |
unknown refund            | unchanged              | notSent neverMade, to confirm                  |
unknown refund            | unclear                | unknown unclearAtTerminal, for a person        |
unknown refund            | charged                | approved refunded                              |
unknown refund            | not charged            | notSent personSaidNot                          |
unknown reversal          | approved               | approved reversedAtTerminal                    |
unknown reversal          | approved, other        | unknown refundedOtherAmount, for a person      |
unknown reversal          | declined               | unknown unclearAtTerminal, for a person        |
unknown reversal          | declined, bare         | unknown unclearAtTerminal, for a person        |
unknown reversal          | declined, done already | approved reversedAtTerminal                    |
unknown reversal          | unclear                | unknown unclearAtTerminal, for a person        |
unknown reversal          | charged                | approved refunded                              |
unknown reversal          | not charged            | notSent personSaidNot                          |
for a person              | charged                | approved approved                              |
for a person              | not charged            | notSent personSaidNot                          |
refund for a person       | charged                | approved refunded                              |
refund for a person       | not charged            | notSent personSaidNot                          |
to be confirmed           | unchanged              | notSent neverMade                              |
to be confirmed           | declined               | notSent neverMade                              |
to be confirmed           | declined, bare         | notSent neverMade                              |
to be confirmed           | declined, done already | notSent neverMade                              |
to be confirmed           | notBegun               | notSent neverMade                              |
to be confirmed           | unclear                | notSent neverMade                              |
to be confirmed           | approved               | unknown unclearAtTerminal, for a person        |
to be confirmed           | approved, other        | unknown unclearAtTerminal, for a person        |
due                       | reversed               | declined cancelledAfterApproval, reversal done |
due                       | reversal refused       | approved reversalRefused                       |
due                       | reversal refused again | unknown unclearAtTerminal, for a person        |
`
  .trim()
  .split('\n')
  .map((row) => row.split('|').map((cell) => cell.trim()));
