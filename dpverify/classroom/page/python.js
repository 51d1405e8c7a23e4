// The page's Pythons, each in a worker. Shared workers outlive the page for a while: the next visit, and a reload, find
// them as they were left. Each is one page's at a time, which a lock with its name says.
const GREETING = 3000; // milliseconds within which an idle worker says that it is there
const ANOTHER = 300; // milliseconds that a lock is waited for: a page that is being left gives up its own late
const PLACES = 8;
const BUILD = document.documentElement.dataset.build;
const SHARED = "SharedWorker" in window && "locks" in navigator;

export class Ended extends Error {}
export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export class Python {
  constructor(role, told) {
    this.role = role; this.told = told; this.number = 0; this.waiting = new Map();
    this.renew();
    this.ready = this.hire();
    this.ready.catch(() => {});
  }

  // What the worker looks for while it works: a question whose mark is gone is given up.
  renew() { this.mark = URL.createObjectURL(new Blob(["kept"])); }

  async hire() {
    const found = SHARED ? await shared(this.role) : null;
    const worker = found ? null : new Worker("worker.js", { type: "module" });
    this.port = found?.port ?? worker;
    this.leave = found?.release ?? (() => worker.terminate());
    if (this.ended) return this.leave();
    return new Promise((resolve, reject) => {
      if (worker) worker.onerror = (event) => reject(new Error(event.message || "the worker failed"));
      this.port.onmessage = ({ data }) => {
        if (data.number !== undefined) this.answered(data);
        else if (data.state) this.told?.(data.state);
        else if (data.ready) { this.born = data.born; resolve(); }
        else if (data.failed) reject(new Error(data.failed));
      };
      this.port.postMessage({ begin: this.role });
    });
  }

  async ask(question) {
    await this.ready;
    const number = ++this.number;
    return new Promise((resolve, reject) => {
      this.waiting.set(number, { resolve, reject });
      this.port.postMessage({ number, asked: JSON.stringify(question), mark: this.mark });
    });
  }

  answered({ number, answer, failed }) {
    const { resolve, reject } = this.waiting.get(number);
    this.waiting.delete(number);
    if (failed) reject(new Error(failed)); else resolve(JSON.parse(answer));
    if (this.ended && !this.busy) this.leave();
  }

  get busy() { return this.waiting.size > 0; }

  // Give up what is being asked; Python stays, as soon as it has seen that.
  drop() {
    for (const { reject } of this.waiting.values()) reject(new Ended());
    URL.revokeObjectURL(this.mark);
    this.renew();
  }

  // Be rid of it: a worker of the page's own is ended at once, a shared one is another's once it is through.
  end() {
    this.drop();
    this.ended = true;
    if (!SHARED || !this.busy) this.leave?.();
  }
}

// A shared worker of this role that no page has and that answers: one still at work is passed over. Null where none is.
async function shared(role) {
  for (let place = 0; place < PLACES; place++) {
    const name = `${role} ${place} ${BUILD}`, release = await lock(name);
    if (!release) continue;
    const worker = new SharedWorker("worker.js", { type: "module", name, extendedLifetime: true });
    const here = await Promise.race([greeted(worker), pause(GREETING)]);
    if (here) return { port: worker.port, release };
    release();
    if (here === false) return null;
  }
  return null;
}

const greeted = (worker) => new Promise((resolve) => {
  worker.onerror = () => resolve(false);
  worker.port.onmessage = () => resolve(true);
});

// The lock's release, or null where another page has it.
const lock = (name) => new Promise((resolve) => {
  const held = () => new Promise((release) => resolve(release));
  navigator.locks.request(name, { signal: AbortSignal.timeout(ANOTHER) }, held).catch(() => resolve(null));
});
