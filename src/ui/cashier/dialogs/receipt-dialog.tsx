/** A receipt: as on paper, sent to the printer, as text for a message, and as a code to find it again. */
import { Alert, Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import encodeQR from 'qr';
import { useMemo } from 'react';
import type { SaleDetail } from '../../../api/contract/sales.ts';
import { fill } from '../../../base/placeholders.ts';
import { IconAlertTriangle } from '../../icons/icons.ts';
import { useWords } from '../../locale/use-words.ts';
import { Listed, ProblemNote } from '../../parts/problem.tsx';
import css from '../cashier.module.css';
import { copyText, NotCopied } from '../copy-text.ts';
import { useFacts } from '../facts.ts';
import { ReceiptPreview, receiptText, usePrint } from '../paper.tsx';
import { useSale } from '../till.ts';

const RECEIPT_DIGITS = 6;

/** What a person types instead of the code: the terminal that took the sale, and the receipt number. */
const nameOf = ({ terminalId, receipt }: SaleDetail): string =>
  `${terminalId}-${String(receipt).padStart(RECEIPT_DIGITS, '0')}`;

export const ReceiptDialog = ({ receipt }: { receipt: number }) => {
  const { t, shared } = useWords('cashier');
  const { print, words, failed, isPrinted } = usePrint(receipt);
  return (
    <div className={css.receiptDialog}>
      <ReceiptPreview receipt={receipt} />
      <Stack>
        <Button size="sm" h={56} data-autofocus onClick={() => print({ copy: 'customer', duplicate: isPrinted })}>
          {shared.print}
        </Button>
        <Button size="sm" h={56} variant="default" onClick={() => print({ copy: 'customer', duplicate: true })}>
          {t.secondCopy}
        </Button>
        <Button size="sm" h={56} variant="default" onClick={() => print({ copy: 'merchant', duplicate: false })}>
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

/** The first line of a receipt without real money, without its frame. */
const markOf = (text: string): string => text.slice(0, text.indexOf('\n')).replace(/^[* ]+|[* ]+$/g, '');

const Mail = ({ receipt }: { receipt: number }) => {
  const { t, shared } = useWords('cashier');
  const { shop } = useFacts();
  // The press itself starts the copy; here its result is awaited.
  const copy = useMutation({ mutationFn: (copied: Promise<void>) => copied });
  const open = useMutation({
    mutationFn: async () => {
      const text = await receiptText(receipt);
      const subject = `${shop.mode === 'live' ? '' : `${markOf(text)}: `}${fill(t.emailSubject, { shop: shop.name })}`;
      location.href = `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(text)}`;
    },
  });
  return (
    <Stack gap="xs">
      <Button size="sm" h={56} variant="default" onClick={() => copy.mutate(copyText(receiptText(receipt)))}>
        {t.copyText}
      </Button>
      <Button size="sm" h={56} variant="default" onClick={() => open.mutate()}>
        {t.openMail}
      </Button>
      {copy.isSuccess && <Text role="status">{t.emailCopied}</Text>}
      {copy.error instanceof NotCopied ? (
        <Alert color="red" icon={<IconAlertTriangle />} role="alert">
          {shared.copyRefused}
        </Alert>
      ) : (
        copy.error && <ProblemNote error={copy.error} />
      )}
      {open.error && <ProblemNote error={open.error} />}
    </Stack>
  );
};

/** The code is the sale's own id, as on paper: no receipt of another till has it. */
const Code = ({ receipt }: { receipt: number }) => {
  const sale = useSale(receipt);
  return <Listed query={sale}>{(row) => <CodePicture sale={row} />}</Listed>;
};

const CodePicture = ({ sale }: { sale: SaleDetail }) => {
  const { t, shared } = useWords('cashier');
  const { id, receipt } = sale;
  const picture = useMemo(() => `data:image/svg+xml,${encodeURIComponent(encodeQR(id, 'svg'))}`, [id]);
  return (
    <figure className={css.code}>
      <img src={picture} alt={fill(shared.receiptNumber, { receipt })} />
      <figcaption>
        <bdi dir="ltr">{nameOf(sale)}</bdi> {t.codeText}
      </figcaption>
    </figure>
  );
};
