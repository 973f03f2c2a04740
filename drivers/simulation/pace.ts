/** What things take at a simulated terminal: about what they take at a real one. */

export const pace = {
  /** The customer, where his presentation does not say: from the invitation to the card at the reader. */
  comesAfterMs: 500,
  /** One movement of his hand: out of the slot, over to the stripe. */
  handMs: 300,
  /** From the end of the sale to the card out of the slot. */
  leavesAfterMs: 1_500,
  /** When he pulls the card in the middle. */
  pullMs: 200,
  /** A PIN, and a card number. */
  pinMs: 2_000,
  typeMs: 3_000,
  /** The device: a chip up to its first cryptogram, a tap, a further cryptogram. */
  readMs: 800,
  tapMs: 300,
  generateMs: 400,
  /** Breaking off what runs. */
  stopMs: 20,
} as const;
