/** Small components of the technician's panels: headings, verdicts, facts, checks with their remedies. */
import { Alert, Badge, Button, Group, Skeleton, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { type ReactNode, useContext } from 'react';
import type { LocalizedMessage } from '../../base/localized-message.ts';
import { fill } from '../../base/placeholders.ts';
import { RequestRefused } from '../api.ts';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconHelpCircle,
  IconMinus,
  IconTool,
} from '../icons/icons.ts';
import { ReaderContext, useMessages, useWords } from '../locale/use-words.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ProblemNote } from '../parts/problem.tsx';

export type Verdict = 'good' | 'odd' | 'bad' | 'notAsked';

export const verdictColours = { good: 'green', odd: 'yellow', bad: 'red', notAsked: 'gray' } as const;
const icons = { good: IconCircleCheck, odd: IconAlertTriangle, bad: IconCircleX, notAsked: IconMinus } as const;

export const Head = ({ title, intro, children }: { title: string; intro: string; children?: ReactNode }) => (
  <Group justify="space-between" align="flex-start" mb="md" gap="sm">
    <div style={{ flex: '1 1 20rem' }}>
      <Title order={1} size="h2">
        {title}
      </Title>
      <Text c="dimmed">{intro}</Text>
    </div>
    {children && <Group gap="sm">{children}</Group>}
  </Group>
);

export const Loading = () => {
  const { shared } = useWords('technician');
  return (
    <Stack role="status" aria-label={shared.loading}>
      <Skeleton height={40} width="40%" />
      <Skeleton height={120} />
      <Skeleton height={120} />
    </Stack>
  );
};

export const VerdictIcon = ({ verdict, size = 40 }: { verdict: Verdict; size?: number }) => {
  const { t } = useWords('technician');
  const Icon = icons[verdict];
  return (
    <ThemeIcon
      size={size}
      radius="xl"
      variant="light"
      color={verdictColours[verdict]}
      role="img"
      aria-label={t.verdicts[verdict]}
    >
      <Icon size={size * 0.6} />
    </ThemeIcon>
  );
};

export const VerdictNote = ({ verdict, message }: { verdict: Verdict; message: string }) => {
  const Icon = icons[verdict];
  return <Alert color={verdictColours[verdict]} icon={<Icon />} title={message} role="status" variant="light" />;
};

/** One check: what was checked, what was found, and the remedy. */
export const CheckLine = (props: {
  verdict: Verdict;
  what: string;
  says: string;
  cure?: string | undefined;
  inOrder?: readonly string[] | undefined;
  told?: { says: LocalizedMessage; cure?: LocalizedMessage; inOrder?: readonly LocalizedMessage[] } | undefined;
  aside?: ReactNode;
}) => {
  const { t } = useWords('technician');
  const messages = useMessages();
  const { verdict, what, told, aside, inOrder = [] } = props;
  const text = messages.text(told?.says, props.says);
  const remedy = props.cure === undefined ? undefined : messages.text(told?.cure, props.cure);
  const steps = told?.inOrder?.map((step) => messages.text(step)) ?? inOrder;
  return (
    <Group component="li" wrap="nowrap" align="flex-start" gap="md" py={8}>
      <VerdictIcon verdict={verdict} />
      <div style={{ flex: 1, minWidth: 0 }}>
        <Group justify="space-between" gap="xs">
          <Text fw={700}>{what}</Text>
          {aside}
        </Group>
        <Text style={{ overflowWrap: 'anywhere' }}>{text}</Text>
        {remedy !== undefined && (
          <Text mt={4} fw={500}>
            <IconTool size={18} style={{ verticalAlign: 'text-bottom', marginInlineEnd: 6 }} />
            {fill(t.cure, { cure: remedy })}
          </Text>
        )}
        {steps.length > 0 && (
          <ol style={{ marginBlock: 4, paddingInlineStart: '1.5rem' }}>
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        )}
      </div>
    </Group>
  );
};

export const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="te-facts">
    {facts.map(([name, value]) => (
      <Fact key={name} name={name} value={value} />
    ))}
  </dl>
);

const Fact = ({ name, value }: { name: string; value: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{typeof value === 'string' ? <bdi>{value}</bdi> : value}</dd>
  </>
);

export const Mark = ({ colour, children }: { colour: string; children: ReactNode }) => (
  <Badge color={colour} size="lg" variant="light" tt="none">
    {children}
  </Badge>
);

/** Hex in pairs; masked bytes are highlighted. */
export const Hex = ({ hex, maxBytes = 512 }: { hex: string; maxBytes?: number }) => {
  const { t } = useWords('technician');
  const bytes = hex.match(/../g) ?? [];
  const shown = bytes.slice(0, maxBytes);
  const runs = shown.reduce<{ at: number; masked: boolean; bytes: string[] }[]>((ranges, byte, i) => {
    const last = ranges.at(-1);
    const masked = byte === '**';
    if (last?.masked === masked) last.bytes.push(byte);
    else ranges.push({ at: i, masked, bytes: [byte] });
    return ranges;
  }, []);
  return (
    <div className="te-hex" dir="ltr">
      {runs.map((run) => (
        <span key={run.at} className={run.masked ? 'te-mask' : undefined}>
          {`${run.bytes.join(' ')} `}
        </span>
      ))}
      {bytes.length > maxBytes && fill(t.moreHex, { count: bytes.length - maxBytes })}
    </div>
  );
};

/** Times to the millisecond in the store's zone. */
export const useExactTime = (): ((at: number) => string) => {
  const { timeZone } = useContext(ReaderContext);
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    ...({ hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 } as const),
  });
  return (at) => format.format(at);
};

type ConfirmDialogProps = {
  title: string;
  /** What it means. */
  message: string;
  /** The button's label. */
  label: string;
  job: { busy: boolean; error?: unknown };
  /** Resolves with whether it was done. */
  onConfirm: () => Promise<boolean>;
  onClose: () => void;
  children?: ReactNode;
};

/** Asks before something is done that cannot be undone, and closes when it is done. */
export const ConfirmDialog = ({ title, message, label, job, onConfirm, onClose, children }: ConfirmDialogProps) => {
  const { shared } = useWords('technician');
  const confirm = async (): Promise<void> => {
    if (await onConfirm()) onClose();
  };
  return (
    <Dialog
      opened
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {shared.cancel}
          </Button>
          <Button color="red" loading={job.busy} onClick={() => void confirm()}>
            {label}
          </Button>
        </>
      }
    >
      <Text>{message}</Text>
      {job.error !== undefined && <ProblemNote error={job.error} />}
      {children}
    </Dialog>
  );
};

/** Each value with a unique key: its text, and its index among those with this text. */
export const keyed = <T,>(values: readonly T[], textOf: (value: T) => string): { key: string; value: T }[] => {
  const seen = new Map<string, number>();
  return values.map((value) => {
    const text = textOf(value);
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    return { key: `${text} ${times}`, value };
  });
};

// An address without its protocol: nothing was sent there yet, and a person confirms that a terminal is there.

type Props = { error: unknown; address: string; onYes: () => void; retry?: () => void };

/** The problem; if only the confirmation is missing, the question for it. */
export const ProblemOrQuestion = ({ error, address, onYes, retry }: Props) => {
  const { t } = useWords('technician');
  const isQuestion = error instanceof RequestRefused && error.problem.code === 'terminal.protocolMissing';
  if (!isQuestion) return <ProblemNote error={error} retry={retry} />;
  return (
    <Alert color="yellow" icon={<IconHelpCircle />} title={fill(t.probeTitle, { address })} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t.probeWhy}</Text>
        <Button onClick={onYes}>{t.probeYes}</Button>
      </Stack>
    </Alert>
  );
};
