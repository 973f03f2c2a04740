/** Payments over plain http: what others on the way can read, and the manager's permission for this one address. */
import { Button, Stack, Text } from '@mantine/core';
import type { PlainHttp } from '../../../api/ports/machine.ts';
import { fill } from '../../../words/fill.ts';
import { api, got } from '../../api.ts';
import { ProblemNote } from '../../parts/problem.tsx';
import { useWords } from '../../words/words.ts';
import { useDoing } from '../doing.tsx';
import { Panel } from '../parts.tsx';
import { OnceSure } from './once-sure.tsx';

export const PlainGateway = ({ plain: { address, reach, permission } }: { plain: PlainHttp }) => {
  const { t, dateTime } = useWords('manager');
  const words = t.machine.plainHttp;
  const doing = useDoing('machine');
  const set = (allowed: boolean): void => {
    const json = { address, allowed };
    void doing.run((headers) => got(api.machine['plain-http'].$post({ json }, { headers })));
  };
  const says = {
    none: () => (reach === 'elsewhere' ? words.elsewhere : words.none),
    usedBefore: () => words.usedBefore,
    allowed: (at: number, by?: string) =>
      fill(by === undefined ? words.allowedByNobody : words.allowed, { name: by ?? '', at: dateTime(at) }),
  };
  return (
    <Panel title={words.title}>
      <Stack align="flex-start">
        <Text role="status">
          {permission.state === 'allowed' ? says.allowed(permission.at, permission.by) : says[permission.state]()}
        </Text>
        <Text>{fill(words.risk, { address })}</Text>
        {reach === 'privateNetwork' && <Text>{words.better}</Text>}
        {reach === 'privateNetwork' && permission.state !== 'allowed' && (
          <OnceSure words={words} busy={doing.busy} act={() => set(true)} />
        )}
        {permission.state !== 'none' && (
          <Button
            size="md"
            variant="default"
            h="auto"
            mih={48}
            className="m-whole"
            loading={doing.busy}
            onClick={() => set(false)}
          >
            {words.end}
          </Button>
        )}
        {doing.error !== undefined && <ProblemNote error={doing.error} />}
      </Stack>
    </Panel>
  );
};
