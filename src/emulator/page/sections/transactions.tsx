import type { TransactionView } from '../overview.js';
import { ActionButton, FormButton, Section, Short, State, Time } from '../widgets.js';
import { useWorld } from '../world.js';

export function Transactions({ transactions, count }: { transactions: readonly TransactionView[]; count: number }) {
  return (
    <Section id="transactions" title="Transactions" count={count} empty="None yet.">
      <div class="overflow-auto">
        <table class="striped">
          <thead>
            <tr>
              <th>Transaction</th>
              <th>State</th>
              <th>Amount</th>
              <th>From, to</th>
              <th>
                <span class="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {transactions.map((transaction) => (
              <Row key={transaction.id} transaction={transaction} />
            ))}
          </tbody>
        </table>
      </div>
      {count > transactions.length && <p class="empty">The newest {transactions.length} are shown.</p>}
    </Section>
  );
}

function Row({ transaction }: { transaction: TransactionView }) {
  const { act } = useWorld();
  const { id, state, transactionType, operation, blockchain, amount, errorReason, createDate, refId, controls } =
    transaction;
  const path = `/transactions/${id}`;
  return (
    <tr>
      <td>
        <div>
          {transactionType === 'INBOUND' ? 'in' : 'out'} · {operation?.toLowerCase().replaceAll('_', ' ')} ·{' '}
          {blockchain}
        </div>
        <Short text={transaction.txHash ?? id} /> <small>{refId}</small>
        <small>
          <Time at={createDate} />
        </small>
      </td>
      <td data-label="State">
        <State state={state} />
        {errorReason && <small>{errorReason}</small>}
      </td>
      <td data-label="Amount">{amount}</td>
      <td data-label="From, to">
        {transaction.sourceAddress && <Short text={transaction.sourceAddress} />}
        {' → '}
        {transaction.destinationAddress && <Short text={transaction.destinationAddress} />}
      </td>
      <td>
        <div class="actions">
          {controls.includes('stick') && (
            <ActionButton
              label={`Make transaction ${id} stick`}
              run={() => act('It will not be mined', 'POST', `${path}/stick`)}
            >
              Stick
            </ActionButton>
          )}
          {controls.includes('fail') && (
            <FormButton
              label={`Fail transaction ${id}`}
              title="The transaction fails"
              submit="Fail it"
              fields={[{ name: 'errorReason', label: 'Reason', value: 'FAILED_ON_CHAIN' }]}
              run={(body) => act('It has failed', 'POST', `${path}/fail`, body)}
            >
              Fail
            </FormButton>
          )}
          {controls.includes('deny') && (
            <ActionButton label={`Deny transaction ${id}`} run={() => act('It is denied', 'POST', `${path}/deny`)}>
              Deny
            </ActionButton>
          )}
        </div>
      </td>
    </tr>
  );
}
