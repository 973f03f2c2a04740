/** What every refusal and failure of the local API is told by. */

export type { Problem } from '../contract/problem.ts';
