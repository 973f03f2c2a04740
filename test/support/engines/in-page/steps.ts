/** Describes to the page where to look for a place, step by step, as plain data. */

export type Words = { text: string; exact: boolean } | { pattern: string; flags: string };

export type Step =
  | { by: 'css'; css: string }
  | { by: 'role'; role: string; name?: Words; level?: number }
  | { by: 'text' | 'label' | 'having'; words: Words }
  /** From the end if negative. */
  | { by: 'nth'; index: number }
  | { by: 'or' | 'and'; steps: Steps };

export type Steps = readonly Step[];

/** `ready`: visible, in its place, and neither disabled nor marked as disabled. */
export type State = 'attached' | 'detached' | 'visible' | 'hidden' | 'ready';
