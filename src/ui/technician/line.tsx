/** The connection to the gateway, step by step. */
import { Button, Card, Stack, Text } from '@mantine/core';
import type { LineCheck } from '../../api/contract/diagnosis.ts';
import { fill } from '../../base/placeholders.ts';
import { api } from '../api.ts';
import { IconPlayerPlay } from '../icons/icons.ts';
import { useWords } from '../locale/use-words.ts';
import { ProblemNote } from '../parts/problem.tsx';
import { CheckLine, Head, VerdictNote } from './parts.tsx';
import { useJob } from './till.ts';

export const Line = () => {
  const { t, number } = useWords('technician');
  const job = useJob<LineCheck[], LineCheck>();
  const checks = job.result ?? job.steps;
  return (
    <>
      <Head title={t.sections.line} intro={t.lineIntro}>
        <Button
          leftSection={<IconPlayerPlay />}
          loading={job.busy}
          onClick={() => void job.follow((headers) => api.line.test.$post({}, { headers }))}
        >
          {t.lineTest}
        </Button>
      </Head>
      <Stack>
        {job.error !== undefined && <ProblemNote error={job.error} />}
        {job.result && <Verdict checks={job.result} />}
        {(checks.length > 0 || job.busy) && (
          <Card withBorder py="xs">
            <Stack component="ol" gap={0} p={0} m={0} style={{ listStyle: 'none' }} aria-live="polite">
              {checks.map(({ what, ms, each, ...check }) => (
                <CheckLine
                  key={what}
                  {...check}
                  what={t.lineSteps[what]}
                  aside={<Timing {...{ ms, each, number }} />}
                />
              ))}
              {job.busy && (
                <Text component="li" c="dimmed" py={8}>
                  {t.lineTesting}
                </Text>
              )}
            </Stack>
          </Card>
        )}
      </Stack>
    </>
  );
};

type Times = { ms: number | undefined; each: number[] | undefined; number: (value: number) => string };

const Timing = ({ ms, each, number }: Times) => {
  const { t } = useWords('technician');
  if (ms === undefined) return null;
  const all = each && each.length > 1 ? ` (${each.map(number).join(' · ')})` : '';
  return <Text c="dimmed">{fill(t.took, { ms: number(ms) }) + all}</Text>;
};

const Verdict = ({ checks }: { checks: readonly LineCheck[] }) => {
  const { t } = useWords('technician');
  const worst = (['bad', 'odd'] as const).find((rank) => checks.some(({ verdict }) => verdict === rank)) ?? 'good';
  return <VerdictNote verdict={worst} message={{ bad: t.lineBad, odd: t.lineOdd, good: t.lineAllGood }[worst]} />;
};
