/** How many columns of a fixed-width printer a text takes, and how to wrap one that takes too many. */

/** East Asian Wide and Fullwidth characters (Unicode Annex 11) and those drawn as emoji take two columns each. */
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE10-\uFE19\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{16FE0}-\u{18DFF}\u{1B000}-\u{1B2FF}\u{1F300}-\u{1F64F}\u{1F680}-\u{1F6FF}\u{1F900}-\u{1F9FF}\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u;

/** Combining marks are drawn on the letter before them. */
const MARK = /[\p{Mn}\p{Me}]/u;

const columnsOfOne = (character: string): number => (MARK.test(character) ? 0 : WIDE.test(character) ? 2 : 1);

export const columns = (text: string): number => {
  let sum = 0;
  for (const character of text) sum += columnsOfOne(character);
  return sum;
};

/** The text between asterisks, `width` columns in total; without asterisks if they do not fit on both sides. */
export const frame = (text: string, width: number): string => {
  const room = width - columns(text) - 2;
  if (room < 2) return text;
  const left = Math.floor(room / 2);
  return `${'*'.repeat(left)} ${text} ${'*'.repeat(room - left)}`;
};

/**
 * The text in lines of at most `width` columns, broken between words; a word is broken only if it is wider than a line.
 */
export const wrap = (text: string, width: number): string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').filter((part) => part !== '')) {
    if (line !== '' && columns(line) + 1 + columns(word) <= width) {
      line += ` ${word}`;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = cut(word, width);
    line = pieces.pop() ?? '';
    lines.push(...pieces);
  }
  if (line !== '') lines.push(line);
  return lines;
};

const cut = (word: string, width: number): string[] => {
  const pieces: string[] = [];
  let piece = '';
  let takenColumns = 0;
  for (const character of word) {
    const more = columnsOfOne(character);
    if (takenColumns + more > width) {
      pieces.push(piece);
      piece = '';
      takenColumns = 0;
    }
    piece += character;
    takenColumns += more;
  }
  return [...pieces, piece];
};
