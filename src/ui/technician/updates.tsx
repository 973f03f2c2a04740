/** Which version this is, whether there is a newer one, and why it is not installed. */
import { Card, Stack } from '@mantine/core';
import { fill } from '../../base/placeholders.ts';
import { api, got } from '../api.ts';
import { useWords } from '../locale/use-words.ts';
import { Listed } from '../parts/problem.tsx';
import { Facts, Head, VerdictNote } from './parts.tsx';
import { useRead } from './till.ts';

export const Updates = () => {
  const { t } = useWords('technician');
  const updates = useRead(['updates'], () => got(api.updates.$get()));
  const words: Readonly<Record<string, string>> = t.reasons;
  return (
    <>
      <Head title={t.sections.updates} intro={t.updatesIntro} />
      <Listed query={updates}>
        {({ version, available, mayInstall, why }) => (
          <Card withBorder>
            <Stack>
              <Facts facts={[[t.version, version]]} />
              {available !== undefined && <VerdictNote verdict="odd" message={fill(t.newer, { version: available })} />}
              {available !== undefined && (mayInstall ? t.mayInstall : t.mayNot)}
              {why && <VerdictNote verdict="notAsked" message={fill(words[why.code] ?? why.says, why.facts ?? {})} />}
              {available === undefined && !why && <VerdictNote verdict="good" message={t.newest} />}
            </Stack>
          </Card>
        )}
      </Listed>
    </>
  );
};
