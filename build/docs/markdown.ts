/** Markdown building blocks for the pages of docs/reference. */

/** The head of each page: its title, a note that the page is generated, and an introduction. */
export const pageHead = (title: string, from: string, text: string): string =>
  `# ${title}\n\n<!-- Made from ${from} by \`npm run build:docs\`. Edit those, not this. -->\n\n${text}\n`;

/** Escapes text for a table cell or a line: outside code, no character is read as Markdown or HTML. */
export const plainText = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/`[^`]+`|[\\`*_[\]<>]/g, (found) => (found.length > 1 ? found : `\\${found}`));

/** Formats text as code. A bar would end the table cell. */
export const code = (text: string): string => `\`${text.replaceAll('`', "'")}\``;

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** A table. Cells are Markdown. */
export const table = (titles: readonly string[], rows: readonly (readonly string[])[]): string =>
  [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |\n`).join('');

/** Joins parts with an empty line between them and one newline at the end. */
export const page = (...parts: readonly string[]): string => `${parts.map((part) => part.trimEnd()).join('\n\n')}\n`;
