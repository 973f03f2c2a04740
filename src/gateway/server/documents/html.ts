/** HTML from templates that escape every text. */
import { escapeText } from '../../../base/text.ts';

/** Made here, and therefore safe to insert unchanged. */
export type Html = { readonly html: string };

type Part = string | number | Html | readonly Html[];

const printed = (part: Part): string => {
  if (typeof part === 'string' || typeof part === 'number') return escapeText(String(part));
  return 'html' in part ? part.html : part.map(({ html }) => html).join('');
};

/** A template that escapes every text, except HTML that it made itself. */
export const html = (pieces: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  html: pieces.reduce((page, piece, i) => page + printed(parts[i - 1] ?? '') + piece),
});

export const nothing: Html = { html: '' };

/** The id of an element, for a link. */
export const anchor = (id: string): string => `#${encodeURIComponent(id)}`;
