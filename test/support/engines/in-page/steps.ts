/** How a place is described to the page that it is looked for in: step by step, as plain data. */

export type Words = { text: string; exact: boolean } | { pattern: string; flags: string };

export type Step =
  | { by: 'css'; css: string }
  | { by: 'role'; role: string; name?: Words; level?: number }
  | { by: 'text' | 'label' | 'having'; words: Words }
  /** From the end where it is negative. */
  | { by: 'nth'; index: number }
  | { by: 'or' | 'and'; steps: Steps };

export type Steps = readonly Step[];

/** `ready`: seen, in its place, and neither disabled nor said to be. */
export type State = 'attached' | 'detached' | 'visible' | 'hidden' | 'ready';
