/** Devices plugged in here that may be terminals, and a field for a known address. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { DeviceRow } from '../../api/contract/devices.ts';
import { fill } from '../../base/placeholders.ts';
import { api, got } from '../api.ts';
import { IconRefresh } from '../icons/icons.ts';
import { useMessages, useWords } from '../locale/use-words.ts';
import { Listed } from '../parts/problem.tsx';
import { Mark } from './parts.tsx';
import { useRead } from './till.ts';

type Props = { chosen: string; busy: boolean; onChoose: (address: string) => void };

export const PairFind = ({ chosen, busy, onChoose }: Props) => {
  const { t } = useWords('technician');
  const messages = useMessages();
  const pluggedIn = useRead(['plugged'], () => got(api.devices.plugged.$get()));
  return (
    <Stack gap="sm">
      <Listed query={pluggedIn}>
        {({ candidates, problems, toldProblems }) => (
          <>
            {problems.map((problem, i) => (
              <Text key={problem}>{messages.text(toldProblems?.[i], problem)}</Text>
            ))}
            {candidates.length === 0 && <Text>{t.nothingPlugged}</Text>}
            {candidates.map((one) => (
              <Candidate key={one.address} {...{ one, busy, onChoose }} isChosen={placeText(one) === chosen} />
            ))}
          </>
        )}
      </Listed>
      <Button
        variant="default"
        leftSection={<IconRefresh />}
        loading={pluggedIn.isFetching}
        onClick={() => void pluggedIn.refetch()}
        style={{ alignSelf: 'flex-start' }}
      >
        {t.look}
      </Button>
      <ByHand busy={busy} onChoose={onChoose} />
    </Stack>
  );
};

/** Without a driver if several may fit: each is then tried. */
const placeText = ({ address, fits = [] }: DeviceRow): string =>
  fits.length > 1 ? address.replace(/^[a-z0-9]+\+/, '') : address;

const colours = { known: 'green', perhaps: 'yellow', unlikely: 'gray' } as const;

const Candidate = ({
  one,
  isChosen,
  busy,
  onChoose,
}: Omit<Props, 'chosen'> & { one: DeviceRow; isChosen: boolean }) => {
  const { t } = useWords('technician');
  const { title, serial, likely = 'perhaps', counter, fits = [] } = one;
  const drivers = fits.map(({ driver }) => driver).join(', ');
  return (
    <Button
      variant={isChosen ? 'light' : 'default'}
      size="xl"
      h="auto"
      py="xs"
      justify="flex-start"
      fullWidth
      disabled={busy && !isChosen}
      loading={busy && isChosen}
      aria-pressed={isChosen}
      onClick={() => onChoose(placeText(one))}
      styles={{ label: { whiteSpace: 'normal', width: '100%' }, inner: { width: '100%' } }}
    >
      <Group justify="space-between" w="100%" gap="xs">
        <Stack gap={0} align="flex-start" style={{ minWidth: 0 }}>
          <Text fw={700} ta="start">
            <bdi>{[title, serial].filter(Boolean).join(' · ')}</bdi>
          </Text>
          <Text size="sm" c={isChosen ? undefined : 'dimmed'} ta="start" style={{ overflowWrap: 'anywhere' }}>
            <bdi>{placeText(one)}</bdi>
            {fits.length > 1 && ` · ${fill(t.asDrivers, { drivers })}`}
          </Text>
        </Stack>
        <Group gap="xs">
          {counter && <Mark colour="blue">{fill(t.alreadyPaired, { counter })}</Mark>}
          <Mark colour={colours[likely]}>{t.likely[likely]}</Mark>
        </Group>
      </Group>
    </Button>
  );
};

const ByHand = ({ busy, onChoose }: Pick<Props, 'busy' | 'onChoose'>) => {
  const { t } = useWords('technician');
  const [text, setText] = useState('');
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() !== '') onChoose(text.trim());
  };
  return (
    <form onSubmit={send}>
      <Group align="flex-end" gap="sm">
        <TextInput
          label={t.byHand}
          description={t.byHandHint}
          value={text}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          style={{ flex: '1 1 18rem' }}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button type="submit" disabled={busy || text.trim() === ''}>
          {t.meet}
        </Button>
      </Group>
    </form>
  );
};
