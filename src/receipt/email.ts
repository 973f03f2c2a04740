/** A receipt as an e-mail that is ready to be sent: plain text, in the form that mail programs open (RFC 5322). */

const LINE_BYTES = 57;
/** So many bytes at most, as base64 and with what stands around it, make an encoded word of 75 characters. */
const WORD_BYTES = 45;

/** The message without sender, receiver and date: whoever sends it adds them. */
export const receiptEmail = ({ subject, lines }: { subject: string; lines: readonly string[] }): string =>
  [
    'X-Unsent: 1',
    `Subject: ${encodedWords(subject)}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    ...pieces(Buffer.from(`${lines.join('\r\n')}\r\n`), LINE_BYTES),
    '',
  ].join('\r\n');

/** A subject that no text in it can turn into another header (RFC 2047). Words are not cut inside a letter. */
const encodedWords = (text: string): string => {
  const words: string[] = [];
  let word = '';
  for (const letter of text) {
    if (Buffer.byteLength(word + letter) > WORD_BYTES) {
      words.push(word);
      word = '';
    }
    word += letter;
  }
  return [...words, word].map((each) => `=?utf-8?B?${Buffer.from(each).toString('base64')}?=`).join('\r\n ');
};

const pieces = (bytes: Buffer, size: number): string[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size).toString('base64'),
  );
