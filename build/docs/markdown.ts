/** Pieces of Markdown that the pages of docs/reference are made of. */

/** The head of each page: its title, that nobody writes it, and what stands in it. */
export const head = (title: string, from: string, says: string): string =>
  `# ${title}\n\n<!-- Made from ${from} by \`npm run build:docs\`. Edit those, not this. -->\n\n${says}\n`;

/** As text in a cell or a line: outside of code no character of it is a sign of Markdown or HTML. */
export const plain = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/`[^`]+`|[\\`*_[\]<>]/g, (found) => (found.length > 1 ? found : `\\${found}`));

/** As code; a bar would end the cell. */
export const code = (text: string): string => `\`${text.replaceAll('`', "'")}\``;

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** A table; cells are Markdown. */
export const table = (titles: readonly string[], rows: readonly (readonly string[])[]): string =>
  [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |\n`).join('');

/** Parts with an empty line between them, and one line end behind them. */
export const page = (...parts: readonly string[]): string => `${parts.map((part) => part.trimEnd()).join('\n\n')}\n`;
