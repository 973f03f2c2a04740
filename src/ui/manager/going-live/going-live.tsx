/** From test mode to live: a list that turns green, and the one button that makes the live till beside this one. */
import { Button, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconRefresh, IconSchool } from '@tabler/icons-react';
import { useState } from 'react';
import type { Checklist } from '../../../api/ports/going-live.ts';
import { fill } from '../../../words/fill.ts';
import { api, got } from '../../api.ts';
import { Listed } from '../../parts/listed.tsx';
import { useMode } from '../../parts/mode.tsx';
import { openingLive } from '../../parts/opening-live.tsx';
import { useWords } from '../../words/words.ts';
import { useDoing, useRead } from '../doing.tsx';
import { Empty, Head, Panel } from '../parts.tsx';
import { ConfirmDialog } from './confirm.tsx';
import { GoingLiveItemRow } from './row.tsx';

export const GoingLive = () => {
  const { t } = useWords('manager');
  const mode = useMode();
  if (mode === 'test') return <Open />;
  const Icon = mode === 'live' ? IconCircleCheck : IconSchool;
  return (
    <>
      <Head title={t.goingLive.title} />
      <Panel>
        <Empty icon={<Icon size={56} aria-hidden />}>{t.goingLive.not[mode]}</Empty>
      </Panel>
    </>
  );
};

const Open = () => {
  const { t } = useWords('manager');
  const list = useRead(['goingLive'], () => got(api['going-live'].$get()));
  const again = (): void => void list.refetch();
  return (
    <>
      <Head title={t.goingLive.title} says={t.goingLive.intro}>
        {list.data && (
          <Button
            size="md"
            variant="default"
            leftSection={<IconRefresh size={20} aria-hidden />}
            loading={list.isFetching}
            onClick={again}
          >
            {t.goingLive.again}
          </Button>
        )}
      </Head>
      {list.data === undefined && !list.error && <Text mb="sm">{t.goingLive.checking}</Text>}
      <Listed query={list}>{(found) => <Rows list={found} isAsking={list.isFetching} again={again} />}</Listed>
    </>
  );
};

type RowsProps = { list: Checklist; isAsking: boolean; again(): void };

const Rows = ({ list, isAsking, again }: RowsProps) => {
  const { t, number } = useWords('manager');
  const doing = useDoing('goingLive');
  const [isConfirming, confirm] = useState(false);
  const left = list.rows.filter(({ done }) => !done).length;
  const goLive = async (): Promise<void> => {
    const gone = await doing.run(async (headers) => {
      await got(api['going-live'].$post({ json: {} }, { headers }));
      return true;
    });
    if (gone) openingLive.set(true);
  };
  const dismiss = (): void => {
    doing.clear();
    confirm(false);
  };
  return (
    <div className="m-limits">
      <Stack gap="xs" component="ol" p={0} m={0} style={{ listStyle: 'none' }}>
        {list.rows.map((row) => (
          <GoingLiveItemRow key={row.item} row={row} list={list} again={again} />
        ))}
      </Stack>
      <aside className="m-aside">
        <Panel>
          <Text fw={600} mb="sm" role="status">
            {list.ready
              ? t.goingLive.ready
              : fill(t.goingLive.notReady, { count: number(left), total: number(list.rows.length) })}
          </Text>
          <Button
            size="xl"
            h="auto"
            mih={72}
            px="sm"
            fullWidth
            className="m-whole"
            color="green.9"
            disabled={!list.ready || isAsking}
            onClick={() => confirm(true)}
          >
            {t.goingLive.go}
          </Button>
        </Panel>
      </aside>
      {isConfirming && <ConfirmDialog doing={doing} close={dismiss} go={() => void goLive()} />}
    </div>
  );
};
