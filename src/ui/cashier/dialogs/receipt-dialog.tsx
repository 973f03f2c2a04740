/** One receipt: as it is on paper, on the printer, as text for a message, and as a code to find it again. */
import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import encodeQR from 'qr';
import { useMemo } from 'react';
import { fill } from '../../../words/fill.ts';
import { ProblemNote } from '../../parts/problem.tsx';
import { useWords } from '../../words/words.ts';
import css from '../cashier.module.css';
import { useFacts } from '../facts.ts';
import { receiptText } from '../paper.ts';
import { usePrint } from '../paper-buttons.tsx';
import { ReceiptPreview } from '../receipt-preview.tsx';

const RECEIPT_DIGITS = 6;

/** What the code holds: terminal and number, as the refund dialog reads them. */
export const codeOf = (terminalId: string, receipt: number): string =>
  `${terminalId}-${String(receipt).padStart(RECEIPT_DIGITS, '0')}`;

export const ReceiptDialog = ({ receipt }: { receipt: number }) => {
  const { t } = useWords('cashier');
  const { print, words, failed, isPrinted } = usePrint(receipt);
  return (
    <div className={css.receiptDialog}>
      <ReceiptPreview receipt={receipt} />
      <Stack>
        <Button h={56} data-autofocus onClick={() => print({ copy: 'customer', duplicate: isPrinted })}>
          {t.print}
        </Button>
        <Button h={56} variant="default" onClick={() => print({ copy: 'customer', duplicate: true })}>
          {t.secondCopy}
        </Button>
        <Button h={56} variant="default" onClick={() => print({ copy: 'merchant', duplicate: false })}>
          {t.merchantCopy}
        </Button>
        <Text role="status" data-failed={failed}>
          {words}
        </Text>
        <Mail receipt={receipt} />
        <Code receipt={receipt} />
      </Stack>
    </div>
  );
};

/** The first line of a receipt of a till that moves no money, without its frame. */
const markOf = (text: string): string => text.slice(0, text.indexOf('\n')).replace(/^[* ]+|[* ]+$/g, '');

const Mail = ({ receipt }: { receipt: number }) => {
  const { t } = useWords('cashier');
  const { shop } = useFacts();
  const copy = useMutation({
    mutationFn: async () => navigator.clipboard.writeText(await receiptText(receipt)),
  });
  const open = useMutation({
    mutationFn: async () => {
      const text = await receiptText(receipt);
      const subject = `${shop.mode === 'live' ? '' : `${markOf(text)}: `}${fill(t.emailSubject, { shop: shop.name })}`;
      location.href = `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(text)}`;
    },
  });
  return (
    <Stack gap="xs">
      <Button h={56} variant="default" onClick={() => copy.mutate()}>
        {t.copyText}
      </Button>
      <Button h={56} variant="default" onClick={() => open.mutate()}>
        {t.openMail}
      </Button>
      {copy.isSuccess && <Text role="status">{t.emailCopied}</Text>}
      {(copy.error ?? open.error) && <ProblemNote error={copy.error ?? open.error} />}
    </Stack>
  );
};

const Code = ({ receipt }: { receipt: number }) => {
  const { t } = useWords('cashier');
  const { shop } = useFacts();
  const code = codeOf(shop.terminalId, receipt);
  const picture = useMemo(() => `data:image/svg+xml,${encodeURIComponent(encodeQR(code, 'svg'))}`, [code]);
  return (
    <figure className={css.code}>
      <img src={picture} alt={fill(t.receiptNumber, { receipt })} />
      <figcaption>
        <bdi dir="ltr">{code}</bdi> {t.codeText}
      </figcaption>
    </figure>
  );
};
