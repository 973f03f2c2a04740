/** What the technician's panels read of the till, read again when the till says that it changed. */
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { DeviceRow } from '../../api/ports/devices.ts';
import type { Counter } from '../../api/ports/selling.ts';
import { api, got } from '../api.ts';
import { listen } from '../events.ts';

export const useRead = <T>(key: readonly string[], read: () => Promise<T>): UseQueryResult<T> =>
  useQuery({ queryKey: ['technician', ...key], queryFn: read });

export const useDevices = (): UseQueryResult<DeviceRow[]> =>
  useRead(['devices'], () => got(api.devices.$get()) as Promise<DeviceRow[]>);

/** A simulated terminal would stand in once somebody asked for it. */
export const useOffersSimulated = (): boolean =>
  useRead(['counters'], async () => (await got(api.counters.$get())) as Counter[]).data?.[0]?.offersSimulated === true;

/** Keeps the lists as the till has them. Each panel goes on by itself when one cannot be read. */
export const useChanges = (): void => {
  const queries = useQueryClient();
  useEffect(
    () =>
      listen((event) => {
        const name = event.on === 'counters' ? 'devices' : event.on === 'changed' ? event.what : undefined;
        if (name !== undefined) void queries.invalidateQueries({ queryKey: ['technician', name] });
      }),
    [queries],
  );
};
