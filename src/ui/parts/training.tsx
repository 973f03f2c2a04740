/** Says all the time that nothing here is real. */
import { useWords } from '../words/words.ts';

export const TrainingStrip = () => {
  const { shared } = useWords('signIn');
  return (
    <div className="tg-training" role="note">
      <strong>{shared.training}</strong> {shared.trainingWhy}
    </div>
  );
};
