/** Words broken into lines that fit where they are read: a terminal's width, or that of a page. */

const PAGE = 100;
const NARROWEST = 60;

/** Columns of stdout; of a page where it is a file or a pipe. */
export const columns = (): number => Math.max(NARROWEST, process.stdout.columns ?? PAGE);

/** Begun large, ended with a stop; a command at its end stays as it is typed. */
export const sentence = (text: string): string => {
  const words = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?!]$|npm run \S+ -- .*$/.test(words) ? words : `${words}.`;
};

/**
 * The text in lines of at most `width`: the first led by `lead`, the others by so many spaces. A word that is longer
 * than a line stands alone, whole: it may be a command that somebody copies.
 */
export const paragraph = (lead: string, text: string, width = columns()): string[] => {
  const indent = ' '.repeat(lead.length);
  const lines: string[] = [];
  let line = lead;
  let isEmpty = true;
  for (const word of text.split(' ')) {
    if (!isEmpty && line.length + 1 + word.length > width) {
      lines.push(line);
      line = indent;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
};
