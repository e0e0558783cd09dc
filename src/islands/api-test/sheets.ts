import './api-test.css';
import '#styles/button.css';
import '#styles/button-more.css';
import '#islands/ui/spinner.css';
