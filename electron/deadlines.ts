/** How long the shell waits for the till's process before it helps itself. */

export type Deadlines = {
  /**
   * From its start until it listens, ms. Twice as long after each start in a row that took too long: opening a big
   * journal after an update gets the time it needs in the end.
   */
  startMs: number;
  /** How often a till that listens is asked for a sign of life, ms. */
  beatMs: number;
  /** After so many beats in a row without an answer the window says that the till does not answer. */
  silentBeats: number;
  /** After so many it is ended by force. */
  hungBeats: number;
  /** For the answer to a question, ms. */
  answerMs: number;
  /** For an end in peace, ms: a customer may have the card in the terminal, as long as a sale may take. */
  stopMs: number;
  /** For a process that was ended by force to be gone, ms: one that waits for a dead disk may stay. */
  goneMs: number;
};

/**
 * A minute of silence is beyond anything that a till in order does in one go: a slow disk's sync, a report over a
 * year's sales, opening its journal anew.
 */
export const usualDeadlines: Deadlines = {
  startMs: 10 * 60_000,
  beatMs: 5_000,
  silentBeats: 3,
  hungBeats: 12,
  answerMs: 10_000,
  stopMs: 120_000,
  goneMs: 10_000,
};
