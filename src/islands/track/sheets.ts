/*
 * The style sheets of this island, for the pages that show it: they stand inline in the page. A script that imported one
 * would ask for it as a file when it is loaded later, and there is none.
 */
import './track.css';
import '#styles/button.css';
import '#styles/button-more.css';
import '#islands/ui/spinner.css';
import '#styles/field.css';
import '#islands/ui/status-badge.css';
import '#islands/ui/order-number.css';
