import type { Newest } from '../overview.js';
import type { ChallengeView, EndedChallengeView } from '../overviewOfPeople.js';
import { Actions, Section, State, Table, Time, words } from '../widgets.js';
import { ChallengeActions } from './challengeActions.js';
import { entriesOf } from './entries.js';

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
        title="Challenges waiting"
        count={count}
        empty="Nobody is asked for anything. A challenge comes with what a user has to approve, such as POST /user/initialize."
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
  const { userId, type, asks, needs, expireDate } = challenge;
  return (
    <tr>
      <td>
        <strong>{words(type)}</strong>
        <small>user {userId}</small>
        {expireDate && (
          <small>
            until <Time at={expireDate} />
          </small>
        )}
      </td>
      <td data-label="Asks for">
        <dl>
          {[...asks, { label: 'To enter', value: entriesOf(needs) }].map(({ label, value }) => (
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
      <h3 id="ended-title">Over or under way</h3>
      <ul class="list">
        {ended.map(({ id, type, userId, status, errorCode, errorMessage }) => (
          <li key={id}>
            <span>
              {words(type)} of user {userId}
              {errorCode !== undefined && <small>{`${errorCode}: ${errorMessage}`}</small>}
            </span>
            <State state={status} />
          </li>
        ))}
      </ul>
    </section>
  );
}
