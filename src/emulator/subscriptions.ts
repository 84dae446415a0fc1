/** A webhook subscription as the API shows it. */
export interface Subscription {
  id: string;
  name: string;
  endpoint: string;
  enabled: boolean;
  /** Whether it is for some types only. */
  restricted: boolean;
  notificationTypes: string[];
  createDate: string;
  updateDate: string;
}

const ALL = '*';

/** Where webhooks of a world go, by id. */
export class Subscriptions {
  readonly #byId = new Map<string, Subscription>();

  add(given: { id: string; endpoint: string; notificationTypes?: string[] | undefined; at: Date }): Subscription {
    const { id, endpoint, notificationTypes = [ALL], at } = given;
    const date = at.toISOString();
    const subscription: Subscription = {
      id,
      name: `subscription ${this.#byId.size + 1}`,
      endpoint,
      enabled: true,
      restricted: !notificationTypes.includes(ALL),
      notificationTypes,
      createDate: date,
      updateDate: date,
    };
    this.#byId.set(id, subscription);
    return subscription;
  }

  list(): Subscription[] {
    return [...this.#byId.values()];
  }

  find(id: string): Subscription | undefined {
    return this.#byId.get(id);
  }

  /** False when there is none of this id. */
  remove(id: string): boolean {
    return this.#byId.delete(id);
  }

  /** The enabled ones that want a type: named itself, by its family (`transactions.*`) or by `*`. */
  wanting(type: string): Subscription[] {
    const family = `${type.split('.')[0]}.*`;
    return this.list().filter(
      ({ enabled, notificationTypes }) =>
        enabled && notificationTypes.some((wanted) => wanted === ALL || wanted === family || wanted === type),
    );
  }
}
