import { createContext, type ReactNode, useContext } from 'react';

/** @param method GET by default */
export type MayOpen = (address: string, method?: 'GET' | 'POST') => boolean;

/** What the staff member may open. Links and forms check it, so pages need not. */
export const Rights = createContext<MayOpen>(() => true);

interface AllowedProps {
  readonly to: string;
  readonly method?: 'GET' | 'POST';
  readonly children: ReactNode;
  readonly otherwise?: ReactNode;
}

/** Content around a link or a form that not every role may use. */
export const Allowed = ({ to, method, children, otherwise = null }: AllowedProps): ReactNode =>
  useContext(Rights)(to, method) ? children : otherwise;

/** Whether the form around a button can be sent. */
export const CanSend = createContext(true);
