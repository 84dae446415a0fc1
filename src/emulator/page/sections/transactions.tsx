import type { Newest, TransactionView } from '../overview.js';
import { ActionButton, FormButton } from '../buttons.js';
import { Actions, Section, Short, State, Table, Time } from '../widgets.js';
import { useWorld } from '../world.js';

export function Transactions({ transactions: { shown, count } }: { transactions: Newest<TransactionView> }) {
  return (
    <Section
      id="transactions"
      title="Transactions"
      count={count}
      empty="None yet. They come with the first transfer, contract call or tokens sent to a wallet."
    >
      <Table columns={['Transaction', 'State', 'Amount', 'From, to']} shown={shown.length} count={count}>
        {shown.map((transaction) => (
          <Row key={transaction.id} transaction={transaction} />
        ))}
      </Table>
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
      <Actions>
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
      </Actions>
    </tr>
  );
}
