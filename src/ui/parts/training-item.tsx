/** In the menu of whoever is at the till: begin and end training, for this session alone. */
import { Menu } from '@mantine/core';
import { IconSchool } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useSession, useTrain } from '../session.ts';
import { useWords } from '../words/words.ts';
import { ProblemNote } from './problem.tsx';

export const TrainingItem = () => {
  const { shared } = useWords('signIn');
  const { data } = useSession();
  const isTraining = data?.shop.mode === 'training';
  const train = useMutation({ mutationFn: useTrain() });
  return (
    <>
      <Menu.Item
        leftSection={<IconSchool size={20} aria-hidden />}
        closeMenuOnClick={false}
        disabled={train.isPending}
        onClick={() => train.mutate(!isTraining)}
      >
        {isTraining ? shared.trainingEnd : shared.trainingBegin}
      </Menu.Item>
      {train.error && <ProblemNote error={train.error} />}
    </>
  );
};
