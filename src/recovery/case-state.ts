/** How far a sale is from its end. */
export type CaseState =
  /** Brought to an ending by the next start. */
  | 'unfinished'
  /** The gateway, or the terminal, is asked again by itself. */
  | 'waiting'
  /** It is still asked by itself, and should have ended long ago: a person is called. */
  | 'overdue'
  /** It is asked again only when a person says so. */
  | 'parked'
  /** Nobody can tell but a person. */
  | 'person'
  /** What came later does not fit what people were told. */
  | 'differs'
  | 'closed';
