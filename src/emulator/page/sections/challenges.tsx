import type { Newest } from '../overview.js';
import type { ChallengeView, EndedChallengeView } from '../userViews.js';
import { Actions, humanize, Section, State, Table, Time } from '../widgets.js';
import { ChallengeActions } from './challengeActions.js';
import { inputNames } from './challengeInputs.js';

export function Challenges({
  challenges: { shown, count },
  ended,
}: {
  challenges: Newest<ChallengeView>;
  ended: readonly EndedChallengeView[];
}) {
  return (
    <>
      <Section
        id="challenges"
        title="Pending challenges"
        count={count}
        empty="No pending challenges. Requests that a user must approve, such as POST /user/initialize, create them."
      >
        <Table columns={['Challenge', 'Asks for']} shown={shown.length} count={count}>
          {shown.map((challenge) => (
            <Row key={challenge.id} challenge={challenge} />
          ))}
        </Table>
      </Section>
      {ended.length > 0 && <Ended ended={ended} />}
    </>
  );
}

function Row({ challenge }: { challenge: ChallengeView }) {
  const { userId, type, details, needs, expireDate } = challenge;
  return (
    <tr>
      <td>
        <strong>{humanize(type)}</strong>
        <small>user {userId}</small>
        {expireDate && (
          <small>
            until <Time at={expireDate} />
          </small>
        )}
      </td>
      <td data-label="Asks for">
        <dl>
          {[...details, { label: 'Required input', value: inputNames(needs) }].map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </td>
      <Actions>
        <ChallengeActions challenge={challenge} />
      </Actions>
    </tr>
  );
}

function Ended({ ended }: { ended: readonly EndedChallengeView[] }) {
  return (
    <section aria-labelledby="ended-title">
      <h3 id="ended-title">Ended or in progress</h3>
      <ul class="list">
        {ended.map(({ id, type, userId, status, errorCode, errorMessage }) => (
          <li key={id}>
            <span>
              {humanize(type)} of user {userId}
              {errorCode !== undefined && <small>{`${errorCode}: ${errorMessage}`}</small>}
            </span>
            <State state={status} />
          </li>
        ))}
      </ul>
    </section>
  );
}
