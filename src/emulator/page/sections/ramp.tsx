import type { Newest } from '../overview.js';
import type { RampSessionView } from '../overviewOfCounterparties.js';
import { rampPlace } from '../place.js';
import { Actions, Section, Short, State, Table, Time } from '../widgets.js';
import { RampActions } from './rampActions.js';

export function RampSessions({
  sessions: { shown, count },
  place,
}: {
  sessions: Newest<RampSessionView>;
  place: string;
}) {
  return (
    <Section
      id="ramp"
      title="Ramp sessions"
      count={count}
      empty="None yet. They come with POST /ramp/sessions, whose url leads here."
    >
      <Table columns={['Session', 'Status', 'Amounts', 'Wallet']} shown={shown.length} count={count}>
        {shown.map((session) => (
          <Row key={session.id} session={session} aimed={place === rampPlace(session.id)} />
        ))}
      </Table>
    </Section>
  );
}

/** Of the customer whose link leads here, if `aimed`. */
function Row({ session, aimed }: { session: RampSessionView; aimed: boolean }) {
  const { id, rampType, status, kyc, customerRefId, refId, blockchain, address } = session;
  const { depositAddress, fiat, crypto, deposit } = session;
  const wanted = deposit.amount === undefined ? '' : `${deposit.amount} ${deposit.unit}`;
  const from = (rampType === 'BUY' ? fiat : crypto) || wanted;
  const to = rampType === 'BUY' ? crypto : fiat;
  return (
    <tr id={rampPlace(id)} class={aimed ? 'aimed' : ''} aria-current={aimed ? 'location' : undefined}>
      <td>
        <div>
          <strong>{rampType === 'BUY' ? 'Purchase' : 'Sale'}</strong> <Short text={id} />
        </div>
        {customerRefId && <small>customer {customerRefId}</small>}
        {refId && <small>{refId}</small>}
        <small>
          <Time at={session.createDate} />
        </small>
      </td>
      <td data-label="Status">
        <State state={status} />
        <small>identity check: {kyc === 'none' ? 'not begun' : kyc}</small>
      </td>
      <td data-label="Amounts">{from === '' ? 'not known yet' : `${from} → ${to || 'not known yet'}`}</td>
      <td data-label="Wallet">
        {blockchain} <Short text={address} />
        {depositAddress && status === 'PENDING' && (
          <small>
            USDC goes to <Short text={depositAddress} />
          </small>
        )}
        {session.txHash && (
          <small>
            transaction <Short text={session.txHash} />
          </small>
        )}
      </td>
      <Actions>
        <RampActions session={session} />
      </Actions>
    </tr>
  );
}
