// Elements, state in them, and templates without a build; all that panels are written with.
import { h } from "preact";
import htm from "htm";

export { Component, Fragment, createContext, h, render } from "preact";
export { useCallback, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
export { batch, computed, effect, signal, untracked, useComputed, useSignal, useSignalEffect } from "@preact/signals";
export const html = htm.bind(h);
