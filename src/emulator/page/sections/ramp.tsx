import type { RampSessionView } from '../counterpartyViews.js';
import type { Newest } from '../overview.js';
import { rampAnchor } from '../urlState.js';
import { Actions, Section, State, Table, Time, Truncated } from '../widgets.js';
import { RampActions } from './rampActions.js';

export function RampSessions({
  sessions: { shown, count },
  anchor,
}: {
  sessions: Newest<RampSessionView>;
  anchor: string;
}) {
  return (
    <Section
      id="ramp"
      title="Ramp sessions"
      count={count}
      empty="None yet. POST /ramp/sessions creates sessions, and their URL opens this page."
    >
      <Table columns={['Session', 'Status', 'Amounts', 'Wallet']} shown={shown.length} count={count}>
        {shown.map((session) => (
          <Row key={session.id} session={session} highlighted={anchor === rampAnchor(session.id)} />
        ))}
      </Table>
    </Section>
  );
}

/** @param highlighted whether the page was opened with the URL of this session */
function Row({ session, highlighted }: { session: RampSessionView; highlighted: boolean }) {
  const { id, rampType, status, kyc, customerRefId, refId, blockchain, address } = session;
  const { depositAddress, fiat, crypto, deposit } = session;
  const expectedDeposit = deposit.amount === undefined ? '' : `${deposit.amount} ${deposit.unit}`;
  const from = (rampType === 'BUY' ? fiat : crypto) || expectedDeposit;
  const to = rampType === 'BUY' ? crypto : fiat;
  return (
    <tr
      id={rampAnchor(id)}
      class={highlighted ? 'highlighted' : ''}
      aria-current={highlighted ? 'location' : undefined}
    >
      <td>
        <div>
          <strong>{rampType === 'BUY' ? 'Purchase' : 'Sale'}</strong> <Truncated text={id} />
        </div>
        {customerRefId && <small>customer {customerRefId}</small>}
        {refId && <small>{refId}</small>}
        <small>
          <Time at={session.createDate} />
        </small>
      </td>
      <td data-label="Status">
        <State state={status} />
        <small>identity check: {kyc === 'none' ? 'not started' : kyc}</small>
      </td>
      <td data-label="Amounts">{from === '' ? 'not yet known' : `${from} → ${to || 'not yet known'}`}</td>
      <td data-label="Wallet">
        {blockchain} <Truncated text={address} />
        {depositAddress && status === 'PENDING' && (
          <small>
            send USDC to <Truncated text={depositAddress} />
          </small>
        )}
        {session.txHash && (
          <small>
            transaction <Truncated text={session.txHash} />
          </small>
        )}
      </td>
      <Actions>
        <RampActions session={session} />
      </Actions>
    </tr>
  );
}
