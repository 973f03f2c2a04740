/** `till receipt`: prints the receipt of any operation again, or writes it to a file. */
import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { errorText } from '../../base/fault.ts';
import { unwrap, unwrapBytes } from '../api-client.ts';
import { choiceIn, malformed, receiptNumber } from '../arguments.ts';
import { type ApiFlags, type CommandSession, withTillApi } from '../front-door.ts';
import { printerWords, widthOf } from '../store/printers.ts';
import { print, tell } from '../terms.ts';
import { tillCommand } from '../till-options.ts';
import { outcomeOf } from './live-sale.ts';

type ReceiptFlags = ApiFlags & {
  copy: string;
  width: string;
  language?: string;
  print?: true;
  pdf?: string;
  svg?: string;
  email?: string;
};

export const addReceipt = (till: Command): void => {
  tillCommand(till, 'receipt <receipt>', 'print a receipt again, marked DUPLICATE')
    .option('--copy <copy>', 'customer or merchant', 'customer')
    .option('--width <mm>', 'paper: 58 or 80 mm', '80')
    .option('--language <tag>', 'de, fr, ar …; default: the store’s language')
    .option('--print', 'print it on the receipt printer')
    .option('--pdf <file>', 'write a PDF file')
    .option('--svg <file>', 'write an SVG file')
    .option('--email <file>', 'write a message file, which a mail program opens')
    .action((receipt: string, flags: ReceiptFlags) => {
      const paper = {
        receipt: receiptNumber(receipt),
        copy: choiceIn(flags.copy, ['customer', 'merchant'], '--copy'),
        width: widthOf(flags.width),
      };
      return withTillApi(flags, (session) => (isElsewhere(flags) ? put : show)(session, paper, flags));
    });
};

type Paper = { receipt: number; copy: 'customer' | 'merchant'; width: 58 | 80 };

const isElsewhere = ({ print: paper, pdf, svg, email, language }: ReceiptFlags): boolean =>
  paper === true || [pdf, svg, email, language].some((given) => given !== undefined);

const show = async (session: CommandSession, { receipt, copy, width }: Paper): Promise<void> => {
  const { receiptText, ...facts } = await outcomeOf(session, receipt, { copy, width: String(width) });
  const lines = receiptText[copy] ?? [];
  session.show({ json: { ...facts, receiptText: lines }, plain: lines });
};

const put = async ({ api }: CommandSession, paper: Paper, flags: ReceiptFlags): Promise<void> => {
  const { receipt, copy, width } = paper;
  const { language } = flags;
  const param = { receipt: String(receipt) };
  const sale = api.sales[':receipt{[0-9]{1,9}}'];
  const body = (form: 'text' | 'pdf' | 'svg' | 'email'): Promise<Uint8Array> =>
    unwrapBytes(sale.receipt.$get({ param, query: { form, copy, width: String(width), duplicate: 'true', language } }));
  const files = { pdf: flags.pdf, svg: flags.svg, email: flags.email } as const;
  for (const form of ['pdf', 'svg', 'email'] as const) {
    const file = files[form];
    if (file === undefined) continue;
    save(file, await body(form));
    tell(`Receipt ${receipt} is in ${file}.`);
  }
  if (flags.print === true)
    tell(printerWords(await unwrap(sale.print.$post({ param, json: { copy, width, duplicate: true, language } }))));
  else if (Object.values(files).every((file) => file === undefined))
    print(new TextDecoder().decode(await body('text')).trimEnd());
};

const save = (file: string, body: Uint8Array): void => {
  try {
    writeFileSync(file, body);
  } catch (error) {
    throw malformed(`${file} cannot be written: ${errorText(error)}`, error);
  }
};
